import type { Path } from "../rules/finding.ts";

/** An object's own member; undefined for anything else. */
export const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined;

/** The value at a path. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce(memberOf, value);
