import type { Path } from "../rules/finding.ts";

/** A member of an object that is its own; undefined for everything else. */
export const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined;

/** What stands at a path. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce(memberOf, value);
