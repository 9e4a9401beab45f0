import type { BacktestedKind, BacktestResult, VariantResult } from "#server/model/backtests/result.ts";
import type { Estimate } from "#server/model/statistics/sampling.ts";
import { capitalised, formatted, plural } from "#server/model/kernel/thousands.ts";

const isExact = ({ low, high }: Estimate): boolean => low === high;

/** Small figures with a decimal, estimates to three digits. */
const shown = (value: number, exact: boolean): string => {
  if (Math.abs(value) < 10) return formatted(Math.round(value * 10) / 10);
  return formatted(exact ? Math.round(value) : Number(Math.round(value).toPrecision(3)));
};

export const roundedTo = (one: Estimate): string => shown(one.value, isExact(one));

/** "1,100 to 1,300". */
export const intervalWords = (one: Estimate): string => `${shown(one.low, false)} to ${shown(one.high, false)}`;

/** "1,200 (1,100 to 1,300)". */
export const estimateWords = (one: Estimate): string => (isExact(one) ? roundedTo(one) : `${roundedTo(one)} (${intervalWords(one)})`);

/** "+120 (+80 to +160)"; 0 has no sign. */
export function signed(one: Estimate): string {
  const sign = (value: number) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${shown(Math.abs(value), isExact(one))}`;
  return isExact(one) ? sign(one.value) : `${sign(one.value)} (${sign(one.low)} to ${sign(one.high)})`;
}

/** The noun after a shown number. */
const counted = (number: string, one: string): string => `${number} ${one}${number === "1" ? "" : "s"}`;

interface Headline extends Pick<BacktestResult, "players" | "isExact"> {
  draft: Pick<VariantResult, "entered" | "completed" | "worthPerWeek"> & { perWeek: Omit<VariantResult["perWeek"], "items"> };
  today: Pick<VariantResult, "entered"> | null;
  periods?: { draft: number } | null | undefined;
}

/** "120 of 400 players would have completed it, 35 times a week, for 3,500 points a week (35 EUR)." */
export function headlineOf(kind: BacktestedKind, { players, isExact: isWhole, draft, today, periods }: Headline): string {
  if (players === 0) return "No players yet, so there is no history to replay.";
  const { completed, entered, perWeek, worthPerWeek } = draft;
  const about = isWhole ? "" : "about ";
  const all = counted(shown(players, isWhole), "player");
  const worth = worthPerWeek === null ? "" : ` (${roundedTo(worthPerWeek.amount)} ${worthPerWeek.currency})`;
  const cost = perWeek.points.value === 0 ? "" : `, for ${counted(roundedTo(perWeek.points), "point")} a week${worth}`;
  if (kind === "marketplaceItems") {
    const before = today === null ? "" : ` (${roundedTo(today.entered)} at today's price)`;
    const bought =
      completed.value === 0
        ? "There were no real purchases of it in these days."
        : `Real purchases come to ${roundedTo(perWeek.completions)} a week${cost}.`;
    return capitalised(`${about}${roundedTo(entered)} of ${all} could have afforded it${before}. ${bought}`);
  }
  if (kind === "leaderboards") {
    if (!periods?.draft) return "No period of this board lies wholly in these days. Try more days.";
    const prizes = `${about}${roundedTo(completed)} of ${all} would have won a prize in ${plural(periods.draft, "period")}`;
    return capitalised(`${prizes}${cost}.`);
  }
  if (completed.value === 0) return `None of ${about}${all} would have completed it.`;
  return capitalised(
    `${about}${roundedTo(completed)} of ${all} would have completed it, ${counted(roundedTo(perWeek.completions), "time")} a week${cost}.`,
  );
}

/** "Based on 27 Oct – 26 Nov 2026: all 120 players, 3,400 events.": the days are of the project's zone. */
export function basisWords({ from, to, players, played, isExact: isWhole, events }: Basis, timeZone: string): string {
  const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone }).formatRange(new Date(from), new Date(to));
  const who = isWhole ? `all ${plural(players, "player")}` : `${formatted(played)} of about ${plural(players, "player")}`;
  return `Based on ${days}: ${who}, ${plural(events, "event")}.`;
}

type Basis = Pick<BacktestResult, "from" | "to" | "players" | "played" | "isExact" | "events">;
