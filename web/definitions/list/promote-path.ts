import type { Kind } from "#server/model/definitions/contract.ts";

/** The address of Promote with preselected definitions: `?chosen=missions:a,missions:b`, each key encoded separately. */
export const promotePath = (kind: Kind, keys: readonly string[]): string =>
  `/promote?chosen=${keys.map((key) => `${kind}:${encodeURIComponent(key)}`).join(",")}`;
