import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import type { AnalyticsReports } from "../client/service.tsx";
import { shortened } from "./words.ts";

export type Effect = AnalyticsReports["effect"];
export type EffectRow = Effect["rows"][number];

/** "+8%", "−3%"; large ones without decimals, small ones with one. */
export function percent(fraction: number): string {
  const by = 100 * Math.abs(fraction);
  const shown = formatted(by < 10 ? Math.round(by * 10) / 10 : Math.round(by));
  return `${shown === "0" ? "" : fraction > 0 ? "+" : "−"}${shown}%`;
}

/** "about 9 more days". */
const moreDays = (days: number): string => `about ${plural(days, "more day")}`;

/** "+8% (+2 to +14)", "No clear difference: −3% (−9 to +4)", "Can't be told yet: about 9 more days". */
export function effectWords({ relative, verdict }: Pick<EffectRow, "relative" | "verdict">): string {
  const range =
    relative === null
      ? ""
      : `${percent(relative.value)} (${[relative.low, relative.high].map((bound) => percent(bound).replace("%", "")).join(" to ")})`;
  switch (verdict.kind) {
    case "clear":
      return range;
    case "unclear":
      return `No clear difference: ${range}${verdict.moreDays === null ? "" : `. If it stays like this, ${moreDays(verdict.moreDays)}`}`;
    case "tooEarly":
      return verdict.moreDays === null ? "Not enough data" : `Can't be told yet: ${moreDays(verdict.moreDays)}`;
  }
}

/** The one sentence above the table. `what` is the name of the event that matters. */
export function effectHeadline(
  { basis, days, rows, groups }: Pick<Effect, "basis" | "days" | "rows" | "groups">,
  what: string | null,
): string {
  if (days === 0) return "The comparison begins with the first whole day.";
  if (groups.inside === 0 && groups.outside === 0)
    return basis === "Share" ? "No players yet." : "No player has enough earlier history to compare with.";
  const row = rows.find(({ measure }) => measure === "chosen") ?? rows[0];
  if (row === undefined) return "There is nothing to compare.";
  const name = row.measure === "chosen" && what !== null ? what : "Active days";
  const than = basis === "Share" ? "players held out" : "before";
  if (row.verdict.kind === "clear" && row.relative !== null)
    return `${name}: ${percent(Math.abs(row.relative.value)).replace("+", "")} ${row.relative.value > 0 ? "more" : "less"} than ${than}.`;
  const words = effectWords(row);
  return `${name}: ${words.charAt(0).toLowerCase()}${words.slice(1).replace(": ", ", ")}.`;
}

/** "Cost: 4,000 points and 100 items; 133 points and 3.3 items per additional Order placed." Null: nothing was paid. */
export function costWords({ perAdditional, points, items }: Effect["cost"], what: string | null): string | null {
  if (points === 0 && items === 0) return null;
  const words = (cost: { points: number; items: number }) =>
    [points > 0 && plural(shortened(cost.points), "point"), items > 0 && plural(shortened(cost.items), "item")]
      .filter(Boolean)
      .join(" and ");
  return `Cost: ${words({ points, items })}${perAdditional === null ? "" : `; ${words(perAdditional)} per additional ${what ?? "event"}`}.`;
}
