import type { DescribeScope } from "#server/model/rules/scope.ts";
import { pathInWords } from "../document/labels.ts";
import { type ValueLine, valueLines } from "../document/value-lines.ts";

/** A changed field from the service: values are JSON text; null: absent. */
export interface Field {
  path: readonly string[];
  before: string | null;
  after: string | null;
}

export interface Differing<One extends Field = Field> {
  differences: readonly One[];
  /** The complete sentences that contain some of these fields. */
  parts: readonly Field[];
  /** Too long for the response, which leaves them out. */
  isLong?: boolean;
}

/** A difference for people; `fields` are the raw differences that it covers. */
export interface DifferenceLine<One extends Field = Field> {
  place: string;
  before: ValueLine[];
  after: ValueLine[];
  fields: One[];
}

/** Differences in words: the sentence before and after for rules and rewards, the field otherwise. */
export function differenceLines<One extends Field>({ differences, parts }: Differing<One>, scope: DescribeScope): DifferenceLine<One>[] {
  const lines = new Map<string, DifferenceLine<One>>();
  for (const field of differences) {
    const sentence = parts.find((part) => isIn(field.path, part.path));
    const asPart = sentence && lineOf(sentence, scope);
    // Fields that no sentence covers, such as a description.
    const line = asPart && !isSame(asPart) && !field.path.includes("description") ? asPart : lineOf(field, scope);
    const known = lines.get(line.place);
    if (known === undefined) lines.set(line.place, { ...line, fields: [field] });
    else known.fields.push(field);
  }
  return [...lines.values()];
}

const isIn = (path: readonly string[], place: readonly string[]): boolean => place.every((name, at) => name === path[at]);

function lineOf({ path, before, after }: Field, scope: DescribeScope): Omit<DifferenceLine, "fields"> {
  const shown = (json: string | null) => valueLines(json, { path, scope });
  return { place: pathInWords(path), before: shown(before), after: shown(after) };
}

const sentenceOf = (lines: readonly ValueLine[]): string =>
  lines
    .filter(({ path }) => path === "")
    .map(({ text }) => text)
    .join();

const isSame = ({ before, after }: Omit<DifferenceLine, "fields">): boolean => sentenceOf(before) === sentenceOf(after);
