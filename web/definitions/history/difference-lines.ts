import type { DescribeScope } from "#server/model/rules/scope.ts";
import { placeInWords, pointerTo } from "../document/pointers.ts";
import { type ValueLine, valueLines } from "../document/value-lines.ts";

/** A field that differs, as the service sends it: values are JSON text, null is for what is not there. */
export interface Field {
  path: readonly string[];
  before: string | null;
  after: string | null;
}

export interface Differing<One extends Field = Field> {
  differences: readonly One[];
  /** The sentences in which some of these fields stand, whole. */
  parts: readonly Field[];
  /** They are too long for the answer, which has none of them. */
  isLong?: boolean;
}

/** One thing that differs, for people; `fields` are the differences that it tells. */
export interface DifferenceLine<One extends Field = Field> {
  place: string;
  before: ValueLine[];
  after: ValueLine[];
  fields: One[];
}

/** A difference in words: of a rule or a reward the sentence before and after, of everything else the field. */
export function differenceLines<One extends Field>({ differences, parts }: Differing<One>, scope: DescribeScope): DifferenceLine<One>[] {
  const lines = new Map<string, DifferenceLine<One>>();
  for (const field of differences) {
    const sentence = parts.find((part) => isIn(field.path, part.path));
    const asPart = sentence && lineOf(sentence, scope);
    // What a sentence leaves out, such as a description, is a field of its own.
    const line = asPart && !isSame(asPart) && !field.path.includes("description") ? asPart : lineOf(field, scope);
    const known = lines.get(line.place);
    if (known === undefined) lines.set(line.place, { ...line, fields: [field] });
    else known.fields.push(field);
  }
  return [...lines.values()];
}

const isIn = (path: readonly string[], place: readonly string[]): boolean => place.every((name, at) => name === path[at]);

function lineOf({ path, before, after }: Field, scope: DescribeScope): Omit<DifferenceLine, "fields"> {
  const told = (json: string | null) => valueLines(json, { path, scope });
  return { place: placeInWords(pointerTo(path)), before: told(before), after: told(after) };
}

const sentenceOf = (lines: readonly ValueLine[]): string =>
  lines
    .filter(({ path }) => path === "")
    .map(({ text }) => text)
    .join();

const isSame = ({ before, after }: Omit<DifferenceLine, "fields">): boolean => sentenceOf(before) === sentenceOf(after);
