import { Decimal, type Numeric, simplify } from "./decimal.ts";
import type { CounterValue } from "./player.ts";
import type { Scalar } from "./values.ts";

type StoredScalar = string | number | boolean | null | { d: string };
export type StoredCounter = StoredScalar | [StoredScalar, number];

/** The stored form of a counter value, as JSON. */
export const encodeCounter = ({ value, at }: CounterValue): StoredCounter =>
  at === undefined ? encodeScalar(value) : [encodeScalar(value), at];

export const decodeCounter = (stored: StoredCounter): CounterValue =>
  Array.isArray(stored) ? { value: decodeScalar(stored[0]), at: stored[1] } : { value: decodeScalar(stored) };

/** A wide number is kept as text, so that reading a state back needs no exact parse. */
const encodeScalar = (value: Scalar | null): StoredScalar => (value instanceof Decimal ? { d: value.toString() } : value);

function decodeScalar(stored: StoredScalar): Scalar | null {
  if (stored === null || typeof stored !== "object") return stored;
  const decimal = Decimal.parse(stored.d);
  return decimal === null ? null : simplify(decimal);
}

/**
 * An array as PostgreSQL reads it, for elements that need no quotes: numbers, ids, dates. A set of rows is sent as one array a column: the
 * database reads it in half the time of JSON, which names every field of every row. Joined, it is one flat string: one put together element
 * by element is a tree of which a slice's garbage collections copied every node, a tenth of a fold's CPU.
 */
export const arrayText = (values: readonly (string | Numeric | null)[]): string =>
  `{${(values.includes(null) ? values.map(String) : values).join()}}`;

/** A cursor in a list that is read newest first: below the instant (epoch milliseconds), and at that instant below the id. */
export interface Below<Id extends string | number = string> {
  at: number;
  id: Id;
}

/** The pattern of a UUID as the service writes it. The database fails on a text that is no UUID. */
export const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const IS_UUID = new RegExp(`^${UUID}$`, "i");
export const isUuid = (text: string): boolean => IS_UUID.test(text);

/** Every UUID and every position is at most this one. */
export const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
export const FIRST_UUID = "00000000-0000-0000-0000-000000000000";
