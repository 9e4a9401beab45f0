import type { CountedMeasure } from "../kernel/counts.ts";
import { onOneLine } from "../kernel/texts.ts";
import { formatted, plural } from "../kernel/thousands.ts";
import { periodAt } from "../kernel/time.ts";

export const BUDGET_KINDS = ["missions", "marketplaceItems"] as const;
export const BUDGET_MEASURES = ["Points", "Items"] as const;
/** `All`: all time, without periods. */
export const BUDGET_PERIODS = ["Day", "Week", "All"] as const;

/** An amount of points or items that a mission may grant, or a listing sell, in a period. */
export interface Budget {
  kind: (typeof BUDGET_KINDS)[number];
  measure: (typeof BUDGET_MEASURES)[number];
  period: (typeof BUDGET_PERIODS)[number];
  amount: number;
}

/** A sum of the reports that counts towards a budget. */
interface BudgetTerm {
  measure: CountedMeasure;
  field: "count" | "amount";
  sign: 1 | -1;
}

const TERMS: Record<Budget["kind"], Record<Budget["measure"], readonly BudgetTerm[]>> = {
  missions: {
    Points: [{ measure: "points.granted", field: "amount", sign: 1 }],
    Items: [{ measure: "items", field: "amount", sign: 1 }],
  },
  marketplaceItems: {
    Points: [
      { measure: "points.spent", field: "amount", sign: 1 },
      { measure: "points.refunded", field: "amount", sign: -1 },
    ],
    Items: [{ measure: "purchased", field: "count", sign: 1 }],
  },
};

export const termsOf = ({ kind, measure }: Pick<Budget, "kind" | "measure">): readonly BudgetTerm[] => TERMS[kind][measure];

/** The name of the period that an instant lies in: its first day in the project's zone, "All" without periods. */
export const periodNameAt = (period: Budget["period"], instant: number, timeZone: string): string =>
  period === "All" ? period : periodAt(instant, timeZone, period).start;

/** The periods for which a budget's notices were sent. */
export interface ToldBudget {
  told80For: string | null;
  told100For: string | null;
}

/** The due notice of a budget in a period: 80 or 100 (per cent); null if none. Each is sent once per period, and 80 not after 100. */
export function toTell(
  { amount }: Pick<Budget, "amount">,
  { told80For, told100For }: ToldBudget,
  period: string,
  used: number,
): 80 | 100 | null {
  if (told100For === period) return null;
  if (used >= amount) return 100;
  return told80For !== period && used >= amount * 0.8 ? 80 : null;
}

const PERIOD_WORDS: Record<Budget["period"], string> = { Day: "today", Week: "this week", All: "in all" };

/** "1,000 points a day" */
export const budgetInWords = ({ kind, measure, period, amount }: Budget): string =>
  `${plural(amount, unitOf({ kind, measure }))} ${{ Day: "a day", Week: "a week", All: "in all" }[period]}`;

/** "800 of 1,000 points today" */
export const usedInWords = ({ kind, measure, period, amount }: Budget, used: number): string =>
  `${formatted(used)} of ${plural(amount, unitOf({ kind, measure }))} ${PERIOD_WORDS[period]}`;

const unitOf = ({ kind, measure }: Pick<Budget, "kind" | "measure">): string =>
  measure === "Points" ? "point" : kind === "missions" ? "item" : "purchase";

/** The outcome of switching the definition off, or the problems that prevented it; null if the budget does not switch it off. */
export type SwitchedOff = { was: "on" | "off" | "gone" } | { problems: readonly string[] } | null;

const MAX_REASON = 300;

/** "800 of 1,000 points today. 80% of the budget is used." */
export function toldInWords(budget: Budget, used: number, percent: 80 | 100, switchedOff: SwitchedOff): string {
  const said = percent === 80 ? "80% of the budget is used." : "The budget is used up.";
  return `${usedInWords(budget, used)}. ${said}${switchedOffInWords(switchedOff)}`;
}

function switchedOffInWords(switchedOff: SwitchedOff): string {
  if (switchedOff === null) return "";
  if ("problems" in switchedOff) {
    return ` It could not be switched off: ${onOneLine(switchedOff.problems.join(" ").slice(0, MAX_REASON).toWellFormed())}`;
  }
  return { on: " It was switched off.", off: " It is off already.", gone: " It was deleted." }[switchedOff.was];
}
