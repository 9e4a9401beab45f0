import { useId } from "react";
import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  Line,
  Rectangle,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { type ChartData, type ChartRow, type ChartSeries, COMPACT, type SeriesStyle, shownValue, ticksOf } from "./data.ts";
import { barSoFar, isBar, Mark, Stripes, STROKES, Swatch } from "./look.tsx";

interface ChartProps {
  data: ChartData;
  /** The chart's label for screen readers. */
  label: string;
}

const TICK = { fill: "var(--color-quiet)", fontSize: 11 };

/** Above this many points, marks would overlap. */
const MAX_MARKS = 45;

/**
 * The drawn chart. The arrow keys go from one period to the next once it has the focus; the other charts of the report highlight the same
 * period. Loaded when shown (chart-card.tsx).
 */
export default function Chart({ data, label }: ChartProps) {
  const { series, rows, isStacked, isByPeriod } = data;
  const stripes = useId();
  const drawn = series.flatMap((one, at) => (one.look === undefined ? [] : [{ ...one, look: one.look, at }]));
  const ticks = ticksOf(data);
  const formatTick = (value: number) => (drawn[0]?.format ?? COMPACT.format)(value);
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 240 }}>
      <ComposedChart
        data={rows}
        // Wider than half a label: one cut off at the end makes Recharts leave out most of the others.
        margin={{ top: 8, right: 28, bottom: 0, left: 0 }}
        syncId={isByPeriod ? "periods" : undefined}
        aria-label={`${label}. Use the arrow keys to read its figures.`}
      >
        <defs>
          <Stripes id={stripes} />
        </defs>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="short"
          interval="equidistantPreserveStart"
          minTickGap={24}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: "var(--color-line-strong)" }}
        />
        <YAxis
          width={44}
          ticks={ticks}
          domain={[0, ticks?.at(-1) ?? "auto"]}
          allowDecimals={false}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          tickFormatter={formatTick}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--color-line-strong)", fill: "var(--color-veil)" }}
          wrapperStyle={{ outline: "none", zIndex: 10 }}
          content={({ active, payload }) => {
            const row = payload[0]?.payload as ChartRow | undefined;
            return active && row !== undefined ? <TooltipFigures row={row} series={series} /> : null;
          }}
        />
        {drawn.map(({ look, at }) =>
          isBar(look) ? (
            <Bar
              key={at}
              dataKey={({ values }: ChartRow) => values[at]}
              stackId={isStacked ? "all" : undefined}
              fill={look === "second-bar" ? `url(#${stripes})` : STROKES[look].colour}
              stroke={STROKES[look].colour}
              maxBarSize={36}
              isAnimationActive={false}
              shape={BarOfPeriod}
            />
          ) : (
            <Line
              key={at}
              dataKey={({ values }: ChartRow) => values[at]}
              stroke={STROKES[look].colour}
              strokeDasharray={STROKES[look].dash}
              strokeWidth={look === "before" ? 1.5 : 2}
              isAnimationActive={false}
              dot={({ key, cx, cy, payload }) => <g key={key}>{point(look, cx, cy, payload as ChartRow, rows.length)}</g>}
              activeDot={look === "before" ? false : { r: 4, stroke: "var(--color-paper)", fill: STROKES[look].colour }}
            />
          ),
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function point(look: SeriesStyle, x: unknown, y: unknown, { isSoFar }: ChartRow, count: number) {
  if (typeof x !== "number" || typeof y !== "number" || (count > MAX_MARKS && !isSoFar)) return null;
  return <Mark look={look} x={x} y={y} isSoFar={isSoFar} />;
}

function BarOfPeriod({ x, y, width, height, fill, stroke, payload }: BarShapeProps) {
  if (!height) return null;
  const soFar = (payload as ChartRow).isSoFar && barSoFar(stroke);
  return <Rectangle {...{ x, y, width, height, fill }} radius={[2, 2, 0, 0]} {...soFar} />;
}

/** All figures of one period. */
const TooltipFigures = ({ row, series }: { row: ChartRow; series: readonly ChartSeries[] }) => (
  <div className="rounded-lg border border-line bg-overlay px-3 py-2 text-[0.8125rem] shadow-overlay">
    <div className="mb-1 font-medium">
      {row.name}
      {row.isSoFar && <span className="text-quiet"> (so far)</span>}
    </div>
    {series.map((one, at) => (
      <div key={one.label} className="flex items-center gap-2">
        {one.look && <Swatch look={one.look} />}
        <span className="text-quiet">{one.label}</span>
        <span className="ml-auto pl-3 font-medium tabular-nums">{shownValue(one, row.values[at] ?? null)}</span>
      </div>
    ))}
  </div>
);
