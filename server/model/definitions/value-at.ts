import type { Path } from "../rules/finding.ts";

/** An object's own member; undefined for anything else. */
export const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined;

export const valueAt = (value: unknown, path: Path): unknown => path.reduce(memberOf, value);

/** A copy of a document with the value at a path replaced. */
export function withValueAt(value: unknown, [name, ...rest]: Path, changed: unknown): unknown {
  if (name === undefined) return changed;
  if (Array.isArray(value)) return value.map((one: unknown, at) => (at === Number(name) ? withValueAt(one, rest, changed) : one));
  const object = value as Record<string | number, unknown>;
  return { ...object, [name]: withValueAt(object[name], rest, changed) };
}
