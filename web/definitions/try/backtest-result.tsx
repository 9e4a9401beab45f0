"use client";

import type { Backtest, BacktestVariant } from "#web/client/answers.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { durationWords } from "../../analytics/words.ts";
import { Notice } from "../../components/surface.tsx";
import { type Estimate, estimateWords, headlineOf, intervalWords, roundedTo, signed } from "./backtest-words.ts";

type Result = NonNullable<Backtest["result"]>;

/** What a draft would have done, beside the saved definition where they differ. */
export function BacktestResult({ result }: { result: Result }) {
  const { draft, today, difference, notes } = result;
  const variants = today === null ? [draft] : [draft, today];
  return (
    <div className="flex flex-col gap-5">
      <div role="status">
        <Notice tone="info" title={headlineOf(result)}>
          {difference !== null &&
            `Compared with today: ${signed(difference.completions)} completions and ${signed(difference.points)} points in ${plural(result.days, "day")}.`}
        </Notice>
      </div>
      <div className="overflow-x-auto">
        <table className="w-full text-left tabular-nums">
          <thead className="text-xs text-quiet">
            <tr>
              <th className="py-1.5 pr-3 font-medium">
                <span className="sr-only">Figure</span>
              </th>
              <th className="py-1.5 pr-3 font-medium">This draft</th>
              {today !== null && <th className="py-1.5 font-medium">Today</th>}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-y border-line">
            {rowsOf(variants).map(({ label, cells }) => (
              <tr key={label}>
                <th scope="row" className="py-1.5 pr-3 font-normal text-quiet">
                  {label}
                </th>
                {cells.map((cell, at) => (
                  <td key={at} className="py-1.5 pr-3 align-top">
                    {typeof cell === "string" ? cell : <EstimateCell {...cell} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {draft.stops.some(({ players }) => players.value > 0) && <Stops variant={draft} />}
      <Spans variant={draft} />
      <ul className="flex list-disc flex-col gap-1 pl-4 text-xs text-quiet">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}

function EstimateCell({ estimate, unit = "" }: { estimate: Estimate; unit?: string }) {
  return (
    <>
      {`${roundedTo(estimate)}${unit}`}
      {estimate.low < estimate.high && <span className="block text-xs text-quiet">{intervalWords(estimate)}</span>}
    </>
  );
}

type Cell = string | { estimate: Estimate; unit?: string };

function rowsOf(variants: readonly BacktestVariant[]): { label: string; cells: Cell[] }[] {
  const row = (label: string, of: (one: BacktestVariant) => Cell | null) => ({ label, cells: variants.map((one) => of(one) ?? "–") });
  const items = new Map(variants.flatMap(({ perWeek }) => perWeek.items.map(({ key, name }) => [key, name] as const)));
  return [
    row("Players who qualify", ({ qualified }) => ({ estimate: qualified })),
    row("Players who start", ({ entered }) => ({ estimate: entered })),
    row("Players who complete it", ({ completed }) => ({ estimate: completed })),
    row("Players who never do", ({ unfinished }) => ({ estimate: unfinished })),
    row("Completions per week", ({ perWeek }) => ({ estimate: perWeek.completions })),
    row("Points per week", ({ perWeek }) => ({ estimate: perWeek.points })),
    ...(variants.some(({ worthPerWeek }) => worthPerWeek !== null)
      ? [row("Value per week", ({ worthPerWeek }) => worthPerWeek && { estimate: worthPerWeek.amount, unit: ` ${worthPerWeek.currency}` })]
      : []),
    ...Array.from(items, ([key, name]) =>
      row(`${name} per week`, ({ perWeek }) => {
        const found = perWeek.items.find((one) => one.key === key);
        return found === undefined ? "0" : { estimate: found.quantity };
      }),
    ),
    row("Time to complete", ({ timeToComplete }) => {
      if (timeToComplete === null) return null;
      const [lower, median, upper] = [timeToComplete.lower, timeToComplete.median, timeToComplete.upper].map((ms) =>
        durationWords(ms / 1_000),
      );
      return `${median} (middle half: ${lower} to ${upper})`;
    }),
  ];
}

/** Where players who never complete it stop. */
function Stops({ variant: { stops, unfinished } }: { variant: BacktestVariant }) {
  const most = Math.max(...stops.map(({ players }) => players.value));
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Missing for the {roundedTo(unfinished)} players who never complete it</h3>
      <ul className="flex flex-col gap-2">
        {stops.map(({ label, players }) => (
          <li key={label} className="flex flex-col gap-1">
            <span className="flex justify-between gap-3">
              <span className="min-w-0 wrap-anywhere">{label}</span>
              <span className="text-quiet tabular-nums">{estimateWords(players)}</span>
            </span>
            <Bar part={players.value / most} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Completions by day or week. */
function Spans({ variant: { spans } }: { variant: BacktestVariant }) {
  const most = Math.max(1, ...spans.map(({ completions }) => completions.value));
  const isDaily = spans.every(({ from, to }) => from === to);
  return (
    <details>
      <summary className="cursor-pointer text-sm font-semibold">{isDaily ? "Day by day" : "Week by week"}</summary>
      <table className="mt-2 w-full text-left tabular-nums">
        <thead className="text-xs text-quiet">
          <tr>
            <th className="py-1 pr-3 font-medium">{isDaily ? "Day" : "Week"}</th>
            <th className="py-1 pr-3 font-medium">Completions</th>
            <th className="py-1 text-right font-medium">Points</th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ from, completions, points }) => (
            <tr key={from} className="border-t border-line">
              <th scope="row" className="py-1 pr-3 font-normal whitespace-nowrap text-quiet">
                {new Date(from).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })}
              </th>
              <td className="w-1/2 py-1 pr-3">
                <span className="flex items-center gap-2">
                  <span className="w-14 shrink-0">{roundedTo(completions)}</span>
                  <Bar part={completions.value / most} />
                </span>
              </td>
              <td className="py-1 text-right">{formatted(Math.round(points.value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const Bar = ({ part }: { part: number }) => (
  <span aria-hidden className="block h-1.5 w-full rounded-full bg-line">
    <span className="block h-full rounded-full bg-accent-fill" style={{ width: `${Math.round(100 * part)}%` }} />
  </span>
);
