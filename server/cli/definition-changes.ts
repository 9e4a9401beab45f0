import type { BoundedDifference } from "../model/definitions/bounded-changes.ts";
import { parseJson } from "../model/kernel/json.ts";
import { KEYS_ALONE, partInWords } from "../model/rules/describe.ts";
import { styled } from "./output.ts";
import { plural } from "../model/kernel/thousands.ts";

/** A change of a definition, as the procedures return it. */
export interface ShownChange {
  sign: "+" | "~" | "-";
  kind: string;
  key: string;
  differences: BoundedDifference[];
  /** The whole parts that contain some of these fields and read as one sentence. */
  parts: BoundedDifference[];
  /** The number of differences; a service omits very long ones. */
  fields: number;
}

/** An import's line for a change: `~ missions first_order (name, rewards)`. */
export function changeLine({ sign, kind, key, differences, fields }: ShownChange): string {
  const members = fields > differences.length ? [`${fields} fields`] : [...new Set(differences.map(({ path }) => path[0]!))];
  return `${sign} ${kind} ${key}${sign === "~" && members.length > 0 ? ` (${members.join(", ")})` : ""}`;
}

/** A field a line: `    rewards/0/points: 5 → 6`. */
export const differenceLines = ({ differences, fields }: ShownChange): string[] =>
  fields > differences.length ? [tooLong(fields)] : differences.map(differenceLine);

const tooLong = (fields: number): string => `    ${fields} fields, too long to show`;

/** The lines of a plan: fields that read as one sentence are replaced by that sentence, shown once. */
export function planLines({ differences, parts, fields }: ShownChange): string[] {
  if (fields > differences.length) return [tooLong(fields)];
  const sentences = parts.flatMap((part) => {
    const [before, after] = [sentenceOf(part, part.before), sentenceOf(part, part.after)];
    return before === null || after === null || before === after ? [] : [{ part, before, after }];
  });
  const isTold = ({ path }: BoundedDifference) => sentences.some(({ part }) => part.path.every((name, at) => path[at] === name));
  return [
    ...differences.filter((one) => !isTold(one)).map(differenceLine),
    ...sentences.map(({ part, before, after }) => arrow(part.path, before, after)),
  ];
}

export function planHead({ sign, kind, key }: ShownChange): string {
  const color = sign === "+" ? "green" : sign === "-" ? "red" : "yellow";
  return `${styled(color, sign)} ${styled("bold", `${kind} ${oneLine(key)}`)}${sign === "-" ? " (switched off)" : ""}`;
}

const differenceLine = ({ path, before, after }: BoundedDifference): string => arrow(path, ...differenceText(before, after));

/** Both values of a field, cut to where they differ. */
export function differenceText(before: string | null, after: string | null): [before: string, after: string] {
  const [was, is] = [before ?? "(nothing)", after ?? "(nothing)"];
  const apart = firstDifference(was, is);
  return [oneLine(cut(was, apart)), oneLine(cut(is, apart))];
}

const arrow = (path: readonly string[], before: string, after: string): string => oneLine(`    ${path.join("/")}: ${before} → ${after}`);

/** Path indexes arrive as text; sentences need list positions as numbers. */
function sentenceOf({ path }: BoundedDifference, value: string | null): string | null {
  if (value === null) return null;
  return partInWords(
    path.map((name) => (/^\d+$/.test(name) ? Number(name) : name)),
    parseJson(value),
    KEYS_ALONE,
  );
}

/** Names in a file may contain anything, and messages quote them. */
export const oneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, escaped).toWellFormed();

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

const SHOWN = 80;
/** How much of a long text is shown before the change. */
const BEFORE = 20;

function cut(text: string, index: number): string {
  if (text.length <= SHOWN) return text;
  const start = Math.max(0, Math.min(index - BEFORE, text.length - SHOWN));
  return `${start > 0 ? "…" : ""}${text.slice(start, start + SHOWN)}${start + SHOWN < text.length ? "…" : ""}`;
}

/** "Plan: 2 to add, 1 to change, 1 to switch off." */
export function planSummary(changes: readonly ShownChange[]): string {
  if (changes.length === 0) return "No changes: everything in the file already exists.";
  const count = (sign: ShownChange["sign"]) => changes.filter((change) => change.sign === sign).length;
  return `Plan: ${count("+")} to add, ${count("~")} to change, ${count("-")} to switch off.`;
}

/** "2 definitions would change; nothing was written." */
export function importSummary(changes: number, isDryRun: boolean): string {
  if (changes === 0) return "No changes: everything in the file already exists.";
  const definitions = plural(changes, "definition");
  return isDryRun ? `${definitions} would change; nothing was written.` : `${definitions} changed.`;
}
