import { hasKey, type Kind, SHAPES, type Way } from "./contract.ts";
import { writeJson } from "../kernel/json.ts";
import type { Actor } from "../kernel/roles.ts";

/** Who changed a definition, and in which way. */
export interface Author {
  actor: Actor;
  via: Way;
}

/**
 * What a version says, in the form of the file; null where the definition was deleted, or left the file as it has no key. A body that the shape of today refuses is given
 * as it was kept.
 */
export function documentOfVersion(
  { kind, key }: { kind: Kind; key: string },
  { active, body }: { active: boolean | null; body: unknown },
): object | null {
  if (active === null || (!hasKey(kind) && !active)) return null;
  const raw = hasKey(kind) ? { key, ...(body as object), active } : { ...(body as object) };
  const shaped = SHAPES[kind].safeParse(raw);
  return shaped.success ? (shaped.data as object) : raw;
}

/** The members in which two documents differ. */
export const changedMembers = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((member) => textOf(before, member) !== textOf(after, member));

const textOf = (document: object, member: string): string => {
  const value = (document as Record<string, unknown>)[member];
  return value === undefined ? "" : writeJson(value);
};
