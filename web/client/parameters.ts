import { isDay } from "../../server/model/kernel/dates.ts";

/** The query parameters that Next passes to pages. */
export type Parameters = Record<string, string | string[] | undefined>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_LENGTH = 300;

/** Each parses one query parameter; invalid values are null. */
export const textOf = (value: Parameters[string]): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, MAX_LENGTH) : null;

export const oneOf = <Value extends string>(values: readonly Value[], text: Parameters[string]): Value | null =>
  values.find((value) => value === text) ?? null;

export const uuidOf = (text: Parameters[string]): string | null => (typeof text === "string" && UUID.test(text) ? text : null);

/** RFC 3339 with a date that exists: browsers take 30 February for a day of March. */
export const instantOf = (text: Parameters[string]): string | null =>
  typeof text !== "string" || !isDay(text.slice(0, 10)) || Number.isNaN(Date.parse(text)) ? null : text;

/** The query string for these parameters, with its "?"; nulls are left out. */
export const queryOf = <Name extends string>(names: readonly Name[], values: Partial<Record<Name, string | null>>): string => {
  const query = new URLSearchParams(names.flatMap((name) => (values[name] == null ? [] : [[name, values[name]]])));
  return query.size === 0 ? "" : `?${query}`;
};
