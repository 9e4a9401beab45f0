import { onOneLine } from "../kernel/texts.ts";
import { formatted, plural, withThousands } from "../kernel/thousands.ts";
import type { Budget } from "./budgets.ts";
import { type Figure, FIGURE_WORDS, figureInWords, ruleOf } from "./figures.ts";
import type { AlertRule, Judged } from "./judge.ts";

/** "in 3 hours"; "now" for a level. */
export function windowInWords({ figure, hours }: Pick<AlertRule, "figure" | "hours">): string {
  if (ruleOf(figure).type === "level") return "now";
  return hours === 1 ? "in an hour" : `in ${hours} hours`;
}

/** "above 1,000" or "above 3 × usual". */
export const boundInWords = ({
  figure,
  comparison,
  basis,
  threshold,
}: Pick<AlertRule, "figure" | "comparison" | "basis" | "threshold">): string => {
  const typed = ruleOf(figure).type === "share" ? figureInWords(figure, threshold) : withThousands(String(threshold));
  return `${comparison.toLowerCase()} ${basis === "Usual" ? `${String(threshold)} × usual` : typed}`;
};

/** "Points granted of welcome: 12,000 in an hour, above 3 × usual (3,600)". */
export function alertInWords(rule: AlertRule, { value, bound }: Pick<Judged, "value" | "bound">, subjectKey: string | null): string {
  const { figure, basis } = rule;
  const of = subjectKey === null ? "" : ` of ${onOneLine(subjectKey)}`;
  const usual = basis === "Usual" && bound !== null ? ` (${figureInWords(figure, bound)})` : "";
  return `${labelOf(figure)}${of}: ${figureInWords(figure, value ?? 0)} ${windowInWords(rule)}, ${boundInWords(rule)}${usual}`;
}

export const labelOf = (figure: Figure): string => FIGURE_WORDS[figure].label;

const PERIOD_WORDS: Record<Budget["period"], string> = { Day: "today", Week: "this week", All: "in total" };

/** "1,000 points a day" */
export const budgetInWords = ({ kind, measure, period, amount }: Budget): string =>
  `${plural(amount, unitOf({ kind, measure }))} ${{ Day: "a day", Week: "a week", All: "in total" }[period]}`;

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
