import type { Kind } from "./contract.ts";
import { quoted } from "./problems.ts";
import type { Named } from "./references.ts";
import { NOUNS } from "./result.ts";
import type { Stored } from "./stored.ts";

/** Whether a definition may be deleted; the reason says why not, and what to do instead. */
export interface Removal {
  allowed: boolean;
  reason: string | null;
}

const MOST_NAMES = 5;

/** Null where nothing names it. */
export function usedRemoval({ kind, shaped }: Stored, users: readonly Named[]): Removal | null {
  if (users.length === 0) return null;
  const names = users.slice(0, MOST_NAMES).map((user) => `the ${NOUNS[user.kind]} ${quoted(user.key)}`);
  const more = users.length > MOST_NAMES ? ` and ${users.length - MOST_NAMES} more` : "";
  const reason = `the ${NOUNS[kind]} ${quoted(shaped.key)} is used by ${names.join(", ")}${more}; take it out there first`;
  return { allowed: false, reason };
}

/** What players have to do with a definition of a kind. */
const TOUCHES: Partial<Record<Kind, string>> = {
  events: "players have sent it",
  metrics: "players have amounts of it",
  attributes: "players have values for it",
  catalogItems: "players were given it",
  missions: "players are in it or have completed it",
  streaks: "players have streaks of it",
  leaderboards: "players have scores on it",
  marketplaceItems: "players have bought it",
};

export const touchedRemoval = ({ kind, shaped }: Stored): Removal => ({
  allowed: false,
  reason: `the ${NOUNS[kind]} ${quoted(shaped.key)} cannot be deleted, since ${TOUCHES[kind] ?? "players have met it"}; switch it off instead`,
});

/** There is more than can be looked through in time. */
export const tooMuch = ({ kind, shaped }: Stored): Removal => ({
  allowed: false,
  reason: `there is too much data here to see in time whether a player ever met the ${NOUNS[kind]} ${quoted(shaped.key)}; switch it off instead`,
});

export const missing = (kind: Kind, key: string) => ({
  problems: [{ pointer: "", message: `there is no ${NOUNS[kind]} ${quoted(key)} any more; it was deleted meanwhile` }],
});
