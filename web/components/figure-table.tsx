import type { ReactNode } from "react";
import { cx } from "./classes.ts";

interface FigureTableProps {
  label: string;
  /** The first is the heading of the names. */
  headings: readonly ReactNode[];
  rows: readonly { id: string; name: ReactNode; cells: readonly ReactNode[] }[];
  /** Beside the border of a card, which scrolls it; otherwise in line with the text above, in a container of its own. */
  isInset?: boolean;
}

/** A small table of figures: each row has a name, and a cell for each other heading. */
export function FigureTable({ label, headings, rows, isInset = false }: FigureTableProps) {
  const look = cx("h-8 px-3 py-1", isInset ? "first:pl-4 last:pr-4" : "first:pl-0 last:pr-0");
  const table = (
    <table aria-label={label} className="w-full border-collapse text-left text-[0.8125rem]">
      <thead>
        <tr className="border-b border-line text-xs text-quiet">
          {headings.map((heading, at) => (
            <th key={at} scope="col" className={cx(look, "font-medium", at > 0 && "text-right")}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, cells }) => (
          <tr key={id} className="border-b border-line last:border-b-0">
            <th scope="row" className={cx(look, "font-normal", isInset && "whitespace-nowrap")}>
              {name}
            </th>
            {cells.map((cell, at) => (
              <td key={at} className={cx(look, "text-right tabular-nums")}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (isInset) return table;
  return (
    <div className="scroll-shadows overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      {table}
    </div>
  );
}
