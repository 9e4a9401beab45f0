import { cx } from "../../components/classes.ts";
import { type ChartData, shownValue } from "./data.ts";

/** The figures of a chart, row by row. */
export const ChartTable = ({ data: { axis, series, rows }, label }: { data: ChartData; label: string }) => (
  <table aria-label={label} className="w-full border-collapse text-left text-[0.8125rem]">
    <thead>
      <tr className="border-b border-line text-xs text-quiet">
        <th scope="col" className="h-8 px-4 font-medium">
          {axis}
        </th>
        {series.map((one) => (
          <th key={one.label} scope="col" className="h-8 px-4 text-right font-medium">
            {one.label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b border-line last:border-b-0">
          <th scope="row" className="h-8 px-4 font-normal whitespace-nowrap">
            {row.name}
            {row.isSoFar && <span className="text-quiet"> (so far)</span>}
          </th>
          {series.map((one, at) => (
            <td key={one.label} className={cx("h-8 px-4 text-right tabular-nums", one.look === "before" && "text-quiet")}>
              {shownValue(one, row.values[at] ?? null)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
