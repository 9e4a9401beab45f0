import { parseInstant } from "../kernel/time.ts";
import { fileSentence } from "../rules/file-words.ts";
import { type FindingCode, type Told, told } from "../rules/finding.ts";
import { hasKey, IDENTITY, type Kind } from "./contract.ts";
import { FIXED, WINDOWS } from "./immutable.ts";
import type { Stored } from "./stored.ts";
import { valueAt } from "./zod-error-map.ts";

/** A place of a definition that stays as it is, why, and the way out. The pointer leads into the definition. */
export interface FixedPlace {
  pointer: string;
  reason: string;
  code: FindingCode;
  params: Record<string, unknown>;
}

const fixedAt = (pointer: string, why: Told): FixedPlace => ({
  pointer,
  reason: fileSentence(why),
  code: why.code,
  params: { ...why.params },
});

/**
 * What of a definition cannot change any more (definitions.md, Rules): the same places that `immutableFindings` and
 * `fixedLeaderboardFindings` refuse, told beforehand. `now` is on the environment's clock.
 */
export function fixedIn(stored: Stored, now: number): FixedPlace[] {
  const { kind } = stored;
  const fixed = FIXED[kind].map((member: string) => place(kind, member));
  fixed.unshift(fixedAt(`/${IDENTITY[kind]}`, told("definition.key_fixed", { kind, hasKey: hasKey(kind) })));
  if (kind === "missions") fixed.push(place(kind, "objectives"));
  if (stored.kind === "events" || stored.kind === "metrics") fixed.push(...propertyTypes(stored));
  if (stored.kind === "leaderboards") fixed.push(...leaderboardPlaces(stored, now));
  return [...fixed, ...startOf(stored, now)];
}

const place = (kind: Kind, member: string): FixedPlace => fixedAt(`/${member}`, told("definition.fixed", { kind, member, before: null }));

const propertyTypes = ({ shaped }: Stored<"events" | "metrics">): FixedPlace[] =>
  shaped.properties.map(({ key }, at) => fixedAt(`/properties/${at}/type`, told("property.type_fixed", { key, before: null })));

function leaderboardPlaces({ shaped: { period } }: Stored<"leaderboards">, now: number): FixedPlace[] {
  const members = ["where", "measure", "league"].map((member) => place("leaderboards", member));
  if (period.kind !== "Season") return [...members, place("leaderboards", "period")];
  const reached = (["startsAt", "endsAt"] as const)
    .filter((member) => (parseInstant(period[member]) ?? 0) <= now)
    .map((member) => fixedAt(`/period/${member}`, told("leaderboard.season_reached", { member, before: null })));
  return [...members, place("leaderboards", "period/kind"), ...reached];
}

function startOf({ kind, shaped }: Stored, now: number): FixedPlace[] {
  const member = kind in WINDOWS ? WINDOWS[kind as keyof typeof WINDOWS] : null;
  const startsAt = member === null ? null : (valueAt(shaped, [member, "startsAt"]) as string | null);
  if (startsAt === null || (parseInstant(startsAt) ?? 0) > now) return [];
  return [fixedAt(`/${member}/startsAt`, told("definition.start_reached", { kind, member: null, before: null }))];
}
