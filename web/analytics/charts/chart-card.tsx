import { type ReactNode, useState } from "react";
import { lazily } from "../../components/lazily.tsx";
import { choices, Segmented } from "../../components/choice.tsx";
import { FigureTable } from "../../components/figure-table.tsx";
import { cx } from "../../components/classes.ts";
import { Card, Skeleton } from "../../components/surface.tsx";
import { DownloadButton } from "../file.tsx";
import { type ChartData, fileRows, isEmpty, shownValue } from "./data.ts";
import { Swatch } from "./look.tsx";

/** Loaded when a chart is first shown; its space is reserved, so that nothing jumps. */
const Chart = lazily(() => import("./chart.tsx").then((loaded) => loaded.default), { waiting: <Skeleton className="h-full rounded-lg" /> });

interface ChartCardProps {
  title: string;
  description?: ReactNode;
  data: ChartData;
  /** Shown in place of a chart without figures. */
  empty: ReactNode;
}

/** A chart with its legend, its table and its file. Screen readers always have the table. */
export function ChartCard({ title, description, data, empty }: ChartCardProps) {
  const [shown, setShown] = useState<"chart" | "table">("chart");
  const nothing = isEmpty(data);
  /** An empty chart takes the same space, so that the first figure moves nothing below it. */
  const keepsSpace = nothing && "invisible";
  return (
    <Card
      title={title}
      description={description}
      padded={false}
      actions={
        <div className={cx("flex items-center gap-2", keepsSpace)}>
          <Segmented<"chart" | "table">
            label={`Show ${title} as`}
            value={shown}
            onValueChange={setShown}
            options={choices({ chart: "Chart", table: "Table" })}
          />
          <DownloadButton name={title} rows={() => fileRows(data)} />
        </div>
      }
    >
      {shown === "table" && !nothing ? (
        <div className="relative max-h-96 overflow-auto" tabIndex={0} role="group" aria-label={title}>
          <ChartTable data={data} label={title} />
        </div>
      ) : (
        <div className="relative p-4">
          <div className={cx(keepsSpace)}>
            <Legend data={data} />
          </div>
          <div className="h-60">
            {nothing ? (
              <p className="grid h-full place-items-center text-center text-quiet">{empty}</p>
            ) : (
              <Chart data={data} label={title} />
            )}
          </div>
          {!nothing && (
            <div className="sr-only">
              <ChartTable data={data} label={title} />
            </div>
          )}
        </div>
      )}
    </Card>
  );
}

/** Cards in two columns; those of a row share the height of their heads. */
export const CardPairs = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-4 lg:grid-cols-2 lg:*:row-span-2 lg:*:grid lg:*:grid-rows-subgrid lg:*:gap-y-0 lg:[&_header]:content-start lg:[&>:last-child:nth-child(odd)]:col-span-2">
    {children}
  </div>
);

function Legend({ data: { series, rows } }: { data: ChartData }) {
  const drawn = series.filter(({ look }) => look !== undefined);
  const isSoFar = rows.some((row) => row.isSoFar);
  if (drawn.length < 2 && !isSoFar) return null;
  return (
    <ul aria-hidden className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
      {drawn.map(({ label, look }) => (
        <li key={label} className="flex items-center gap-1.5">
          <Swatch look={look!} />
          {label}
        </li>
      ))}
      {isSoFar && (
        <li className="flex items-center gap-1.5">
          <Swatch look={drawn[0]!.look!} isSoFar />
          Period in progress
        </li>
      )}
    </ul>
  );
}

const ChartTable = ({ data: { axis, series, rows }, label }: { data: ChartData; label: string }) => (
  <FigureTable
    isInset
    label={label}
    headings={[axis, ...series.map((one) => one.label)]}
    rows={rows.map(({ id, name, isSoFar, values }) => ({
      id,
      name: isSoFar ? (
        <>
          {name} <span className="text-quiet">(so far)</span>
        </>
      ) : (
        name
      ),
      cells: series.map((one, at) => shownValue(one, values[at] ?? null)),
    }))}
  />
);
