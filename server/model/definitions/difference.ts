import microdiff from "microdiff";
import { isJsonObject } from "../kernel/values.ts";
import { writeJson } from "../kernel/json.ts";
import { isSentencePlace, KEYS_ALONE, partInWords } from "../rules/describe.ts";
import type { Path } from "../rules/finding.ts";

/** A changed field of a definition; undefined if absent before or after. In the path, entries with a key are named by it. */
export interface Difference {
  path: Path;
  before: unknown;
  after: unknown;
}

/** The differences in these members of two definitions, field by field. */
export function differencesIn(members: readonly string[], before: object, after: object): Difference[] {
  return members.flatMap((member): Difference[] => {
    const [was, is] = [valueOf(before, member), valueOf(after, member)];
    const fields = microdiff({ [member]: treeOf(was) }, { [member]: treeOf(is) }, { cyclesFix: false }).map(({ path }) => path);
    // Only the order of entries with keys differs.
    if (fields.length === 0) return [{ path: [member], before: was, after: is }];
    return fields.map((path) => ({ path, before: path.reduce(valueOf, before), after: path.reduce(valueOf, after) }));
  });
}

/**
 * The parts of two definitions that are shown as one sentence (a rule, an audience, a reward) and that differ, each whole. A sentence with
 * one changed number is more helpful than the number.
 */
export function partsIn(differences: readonly Difference[], before: object, after: object): Difference[] {
  const parts = differences.flatMap(({ path }) => partAround(path, before, after));
  return [...new Map(parts.map((part) => [JSON.stringify(part.path), part])).values()];
}

/** The outermost sentence around a field, if it is one on both sides. */
function partAround(path: Path, before: object, after: object): Difference[] {
  for (let length = 1; length < path.length; length++) {
    const part = path.slice(0, length);
    if (!isSentencePlace(part)) continue;
    const [was, is] = [part.reduce(valueOf, before as unknown), part.reduce(valueOf, after as unknown)];
    if ([was, is].every((value) => partInWords(part, value, KEYS_ALONE) !== null)) return [{ path: part, before: was, after: is }];
  }
  return [];
}

/**
 * The value in a form whose fields can be compared: single values and lists of them as JSON text, which is exact, and entries with a key
 * under their key. Without a prototype, since members may be called "toString".
 */
function treeOf(value: unknown): unknown {
  if (isKeyed(value)) return treeOf(Object.fromEntries(value.map((one) => [one.key, one])));
  if (Array.isArray(value)) return value.some(isCompound) ? value.map(treeOf) : writeJson(value);
  if (!isJsonObject(value)) return writeJson(value);
  return Object.assign(Object.create(null) as object, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, treeOf(one)])));
}

const isCompound = (value: unknown): boolean => Array.isArray(value) || isJsonObject(value);

const isKeyed = (value: unknown): value is { key: string }[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isJsonObject(one) && typeof one.key === "string");

function valueOf(whole: unknown, name: string | number): unknown {
  if (Array.isArray(whole)) return typeof name === "number" ? whole[name] : whole.find((one: { key: unknown }) => one.key === name);
  return isJsonObject(whole) && Object.hasOwn(whole, name) ? whole[name] : undefined;
}
