import { onOneLine } from "../kernel/texts.ts";
import { type Figure, FIGURE_WORDS, figureInWords, ruleOf } from "./figures.ts";
import type { AlertRule, Judged } from "./judge.ts";

/** "in the last 3 hours"; empty for a level. */
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
}: Pick<AlertRule, "figure" | "comparison" | "basis" | "threshold">): string =>
  `${comparison.toLowerCase()} ${basis === "Usual" ? `${String(threshold)} × usual` : figureInWords(figure, threshold)}`;

/** "Points granted of welcome: 12,000 in an hour, above 3 × usual (3,600)". */
export function alertInWords(rule: AlertRule, { value, bound }: Pick<Judged, "value" | "bound">, subjectKey: string | null): string {
  const { figure, basis } = rule;
  const of = subjectKey === null ? "" : ` of ${onOneLine(subjectKey)}`;
  const usual = basis === "Usual" && bound !== null ? ` (${figureInWords(figure, bound)})` : "";
  return `${labelOf(figure)}${of}: ${figureInWords(figure, value ?? 0)} ${windowInWords(rule)}, ${boundInWords(rule)}${usual}`;
}

export const labelOf = (figure: Figure): string => FIGURE_WORDS[figure].label;
