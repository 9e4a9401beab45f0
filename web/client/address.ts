import { notFound } from "next/navigation";
import { isDay } from "../../server/model/kernel/calendar.ts";
import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";

/** The query parameters that Next passes to pages. */
export type Parameters = Record<string, string | string[] | undefined>;

/** Parses one parameter; null for an invalid value. */
type Read<Value extends string = string> = (text: string) => Value | null;

/** State kept in the address, so that a screen can be shared: invalid values are ignored, and null, the default, is left out. */
export interface Address<State> {
  /** The state with every parameter at its default, null. */
  none: State;
  from(parameters: Parameters): State;
  /** The query with its "?"; empty for the defaults. */
  queryOf(state: Partial<State>): string;
  isFiltered(state: State): boolean;
}

export type StateOf<Of> = Of extends Address<infer State> ? State : never;

type Parsed<Readers> = { [Name in keyof Readers]: Readers[Name] extends Read<infer Value> ? Value | null : never };

/** An address with these parameters. `opened` names the open row of a list, which is no filter. */
export function addressOf<Readers extends Record<string, Read>>(readers: Readers, opened?: keyof Readers): Address<Parsed<Readers>> {
  const names: (keyof Readers & string)[] = Object.keys(readers);
  const stateOf = (valueOf: (name: string) => string | null) =>
    Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Parsed<Readers>;
  return {
    none: stateOf(() => null),
    from: (parameters) =>
      stateOf((name) => {
        const text = parameters[name];
        return typeof text === "string" && text !== "" ? readers[name]!(text) : null;
      }),
    queryOf(state) {
      const query = new URLSearchParams(names.flatMap((name) => (state[name] ? [[name, state[name]]] : [])));
      return query.size === 0 ? "" : `?${query}`;
    },
    isFiltered: (state) => names.some((name) => name !== opened && state[name] !== null),
  };
}

export const textUpTo =
  (length: number): Read =>
  (text) =>
    text.slice(0, length);

export const oneOf =
  <const Value extends string>(values: readonly Value[]): Read<Value> =>
  (text) =>
    values.find((value) => value === text) ?? null;

const matching =
  (pattern: RegExp): Read =>
  (text) =>
    pattern.test(text) ? text : null;

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

export const uuid = matching(new RegExp(`^${ID}$`));

/** Two ids, joined by a dot. */
export const uuidPair = matching(new RegExp(`^${ID}\\.${ID}$`));

/** Two numbers counted from 0, joined by a dot. */
export const indexPair = matching(/^\d{1,2}\.\d{1,8}$/);

/** The number of a page, from 1. */
export const pageNumber = matching(/^[1-9]\d{0,3}$/);

/** "2026-01-31", and a day that exists. */
export const day: Read = (text) => (isDay(text) ? text : null);

/** RFC 3339 with a date that exists: browsers take 30 February for a day of March. */
export const instant: Read = (text) => (isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)) ? text : null);

/** The part of every call's input that names the environment. */
export interface Scope {
  project: string;
  environment: EnvironmentKind;
}

export interface ScopeParams {
  project: string;
  environment: string;
}

/** What Next passes to a page of an environment. */
export interface EnvironmentPageProps<More = object> {
  params: Promise<ScopeParams & More>;
  searchParams: Promise<Parameters>;
}

/** The environment in a page's address; Sandbox and Live are the only ones. A page may render before its layout. */
export async function scopeFrom(params: Promise<ScopeParams>): Promise<Scope> {
  const { project, environment } = await params;
  return environment === "sandbox" || environment === "live" ? { project, environment } : notFound();
}
