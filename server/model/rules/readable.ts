import { Decimal } from "../kernel/decimal.ts";
import type { Path } from "./finding.ts";

/** Replaces a part of a file that its shape rejected, which has been reported. */
const UNREADABLE: unique symbol = Symbol("unreadable");

type Nothing = null | undefined | typeof UNREADABLE;
type Leaf = string | number | boolean | Decimal;

/**
 * What can be read of a definition that may have wrong members. The checks go by it, so that one problem does not hide
 * another. A valid definition is readable unchanged.
 */
export type Readable<T> = T extends Leaf
  ? T | Nothing
  : T extends readonly (infer One)[]
    ? readonly Readable<One>[] | Nothing
    : T extends object
      ? { readonly [Name in keyof T]: Readable<T[Name]> } | Nothing
      : T | Nothing;

/** The value with rejected parts marked unreadable, and without unknown members. */
export function readableOf<T>(value: unknown, findings: readonly { path: Path; isUnknownMember: boolean }[]): Readable<T> {
  const copy = copyOf(value);
  return findings.reduce<unknown>(
    (whole, { path, isUnknownMember }) => put(whole, path, isUnknownMember ? undefined : UNREADABLE),
    copy,
  ) as Readable<T>;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null || value instanceof Decimal) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one)]));
}

function put(whole: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof whole !== "object" || whole === null) return whole;
  const holder = whole as Record<string | number, unknown>;
  holder[name] = put(holder[name], rest, value);
  return whole;
}

/** The value; undefined if unreadable or left out. */
export const given = <T>(value: T): Exclude<T, Nothing> | undefined =>
  value === UNREADABLE || value === null || value === undefined ? undefined : (value as Exclude<T, Nothing>);

/** Whether a member was left out, so that its default holds. */
export const isLeftOut = (value: unknown): value is null | undefined => value === null || value === undefined;
