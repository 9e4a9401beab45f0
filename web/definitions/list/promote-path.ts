import type { Kind } from "#server/model/definitions/contract.ts";

/** The address of Promote with some definitions selected: `?chosen=missions:a,missions:b`, each key encoded by itself. */
export const promotePath = (kind: Kind, keys: readonly string[]): string =>
  `/promote?chosen=${keys.map((key) => `${kind}:${encodeURIComponent(key)}`).join(",")}`;
