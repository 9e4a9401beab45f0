import { hasKey, type Kind, SHAPES, type Way } from "./contract.ts";
import { writeJson } from "../kernel/json.ts";
import type { Actor } from "../kernel/environment.ts";

/** The approval of a change request; the versions that it makes keep it. */
interface Approval {
  requestId: string;
  /** Who approved it. */
  approver: string;
}

/** The author and origin of a change of a definition. */
export interface Author {
  actor: Actor;
  via: Way;
  /** The approval of the change request that made the change; left out for other changes. */
  approval?: Approval | null;
}

/**
 * The content of a version, in the form of the file; null if the definition was deleted, or left out of the file for lack of a key. A body
 * that today's shape rejects is returned as stored.
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
