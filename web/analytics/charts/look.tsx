import { useId } from "react";
import type { SeriesStyle } from "./data.ts";

/** Colours, dashes and marks of the series. Dashes and marks carry the same information as colours. */
export const STROKES: Record<SeriesStyle, { colour: string; dash?: string }> = {
  line: { colour: "var(--color-accent)" },
  "second-line": { colour: "var(--color-warn)", dash: "2 3" },
  before: { colour: "var(--color-faint)", dash: "6 4" },
  bar: { colour: "var(--color-accent)" },
  "second-bar": { colour: "var(--color-warn)" },
};

export const isBar = (look: SeriesStyle): boolean => look === "bar" || look === "second-bar";

/** The mark of a point: a disc, a square, or nothing for the previous period. Hollow while the period is in progress. */
export function Mark({ look, x, y, isSoFar }: { look: SeriesStyle; x: number; y: number; isSoFar: boolean }) {
  if (look === "before") return null;
  const { colour } = STROKES[look];
  const paint = { fill: isSoFar ? "var(--color-paper)" : colour, stroke: colour, strokeWidth: 1.5 };
  const size = isSoFar ? 4 : 2.5;
  return look === "second-line" ? (
    <rect x={x - size} y={y - size} width={size * 2} height={size * 2} {...paint} />
  ) : (
    <circle cx={x} cy={y} r={size} {...paint} />
  );
}

/** The bar of the current period: pale, with a dashed edge. */
export const barSoFar = (stroke: string | undefined) => ({ fillOpacity: 0.35, stroke, strokeDasharray: "3 2" });

export const Stripes = ({ id }: { id: string }) => (
  <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="5" height="5" fill="var(--color-warn-soft)" />
    <rect width="2.5" height="5" fill="var(--color-warn)" />
  </pattern>
);

/** A series as the legend and the tooltip draw it. */
export function Swatch({ look, isSoFar = false }: { look: SeriesStyle; isSoFar?: boolean }) {
  const { colour, dash } = STROKES[look];
  const stripes = useId();
  return (
    <svg width="20" height="10" aria-hidden className="shrink-0">
      {look === "second-bar" && (
        <defs>
          <Stripes id={stripes} />
        </defs>
      )}
      {isBar(look) ? (
        <rect
          {...{ x: 4.5, y: 0.5, width: 11, height: 9, rx: 1.5 }}
          fill={look === "second-bar" ? `url(#${stripes})` : colour}
          {...(isSoFar && barSoFar(colour))}
        />
      ) : (
        <>
          <line x1="0" x2="20" y1="5" y2="5" stroke={colour} strokeWidth="2" strokeDasharray={dash} />
          <Mark look={look} x={10} y={5} isSoFar={isSoFar} />
        </>
      )}
    </svg>
  );
}
