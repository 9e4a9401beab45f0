import { Decimal, simplify } from "./decimal.ts";
import type { CounterValue } from "./player.ts";
import type { Scalar } from "./values.ts";

type StoredScalar = string | number | boolean | null | { d: string };
export type StoredCounter = StoredScalar | [StoredScalar, number];

/** A reading as it is stored, in JSON. */
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
