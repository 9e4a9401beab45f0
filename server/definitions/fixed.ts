import { parseInstant } from "../kernel/time.ts";
import { hasKey, IDENTITY, type Kind } from "./contract.ts";
import { articled, FIXED, refusal, WINDOWS } from "./immutable.ts";
import { quoted } from "./problems.ts";
import { NOUNS } from "./result.ts";
import type { Stored } from "./stored.ts";
import { valueAt } from "./wording.ts";

/** A place of a definition that stays as it is, why, and the way out. The pointer leads into the definition. */
export interface FixedPlace {
  pointer: string;
  reason: string;
}

/**
 * What of a definition cannot change any more (definitions.md, Rules): the same places that `immutableFindings` and
 * `fixedLeaderboardFindings` refuse, told beforehand. `now` is on the environment's clock.
 */
export function fixedIn(stored: Stored, now: number): FixedPlace[] {
  const { kind } = stored;
  const fixed = FIXED[kind].map((member: string) => place(kind, member));
  if (hasKey(kind)) fixed.unshift({ pointer: "/key", reason: `a key cannot change; define a new ${NOUNS[kind]} under a new key` });
  else fixed.unshift({ pointer: `/${IDENTITY[kind]}`, reason: `${articled(NOUNS[kind])} is known by this; delete it and add another one` });
  if (kind === "missions") fixed.push(place(kind, "objectives"));
  if (stored.kind === "events" || stored.kind === "metrics") fixed.push(...propertyTypes(stored));
  if (stored.kind === "leaderboards") fixed.push(...leaderboardPlaces(stored, now));
  return [...fixed, ...startOf(stored, now)];
}

const place = (kind: Kind, member: string): FixedPlace => ({ pointer: `/${member}`, reason: refusal(kind, member) });

const propertyTypes = ({ shaped }: Stored<"events" | "metrics">): FixedPlace[] =>
  shaped.properties.map(({ key }, at) => ({
    pointer: `/properties/${at}/type`,
    reason: `the type of the property ${quoted(key)} cannot change; add a property under a new key`,
  }));

function leaderboardPlaces({ shaped: { period } }: Stored<"leaderboards">, now: number): FixedPlace[] {
  const members = ["where", "measure", "league"].map((member) => place("leaderboards", member));
  if (period.kind !== "Season") return [...members, place("leaderboards", "period")];
  const reached = (["startsAt", "endsAt"] as const)
    .filter((member) => (parseInstant(period[member]) ?? 0) <= now)
    .map((member) => ({
      pointer: `/period/${member}`,
      reason: `the ${member === "startsAt" ? "start" : "end"} of a season cannot change once it is reached; define a new leaderboard under a new key`,
    }));
  return [...members, place("leaderboards", "period/kind"), ...reached];
}

function startOf({ kind, shaped }: Stored, now: number): FixedPlace[] {
  const member = kind in WINDOWS ? WINDOWS[kind as keyof typeof WINDOWS] : null;
  const startsAt = member === null ? null : (valueAt(shaped, [member, "startsAt"]) as string | null);
  if (startsAt === null || (parseInstant(startsAt) ?? 0) > now) return [];
  const reason = `the start cannot change once it is reached; define a new ${NOUNS[kind]} under a new key`;
  return [{ pointer: `/${member}/startsAt`, reason }];
}
