import type { Leaderboard, Listing, Mission, Streak } from "../../../model/definitions/compiled.ts";
import { addNumbers } from "../../../model/kernel/decimal.ts";
import { periodAt } from "../../../model/kernel/time.ts";
import { isNumeric } from "../../../model/kernel/values.ts";
import { teamOf } from "../../../model/leaderboards/advance.ts";
import { isOffered, isVisible, statusOf } from "../../../model/marketplace/eligibility.ts";
import { entriesOf } from "../../../model/missions/feed.ts";
import { progressOf } from "../../../model/missions/progress.ts";
import { decodeObjectives } from "../../../model/missions/state.ts";
import { isIn } from "../../../model/rules/audience.ts";
import { qualifies } from "../../../model/rules/condition.ts";
import { streakRow } from "../../../model/streaks/rows.ts";
import { objectivesShown } from "../missions.ts";
import type { LISTING_STATUSES, MISSION_STATUSES } from "./shape.ts";
import type { Actor, World } from "./world.ts";

/** The players' view of definitions, in the form of expectations. */

export function missionSeen({ definitions, now }: World, { player, completions }: Actor, mission: Mission) {
  const own = completions.filter(({ missionId }) => missionId === mission.id);
  const shown = entriesOf(player, definitions, [mission], now).findLast(({ status }) => status !== "open");
  const last = own.at(-1);
  const states =
    shown?.status === "live" ? objectivesShown(mission, shown.occurrence) : last === undefined ? [] : decodeObjectives(last.objectives);
  const status = ((): (typeof MISSION_STATUSES)[number] => {
    if (shown?.status === "live") return shown.occurrence.accepted === null ? "Available" : "InProgress";
    if (last !== undefined) return "Completed";
    return shown === undefined ? "Hidden" : "Locked";
  })();
  const progress = states.map((state, at) => {
    const actual = progressOf(mission.objectives[at]!, state).actual;
    return actual === null ? null : "value" in actual ? actual.value : null;
  });
  return { status, progress, completed: own.length };
}

export function streakSeen({ scene, now, zoneOf }: World, { player }: Actor, streak: Streak) {
  const zone = zoneOf(player.timeZone);
  const { runs = [], periods } = player.streaks.get(streak.id) ?? {};
  const isQualified = periods?.get(periodAt(now, zone, streak.cadence).start)?.isQualified ?? false;
  const longest = Math.max(0, ...runs.map(({ length }) => length));
  const row = streakRow(streak, { runs, longest, isQualified }, now, zone, scene.language);
  return { current: row.currentLength, longest: row.longestLength, qualifies: isQualified, freezes: row.freezesAvailable };
}

export function placeSeen(world: World, { player }: Actor, board: Leaderboard) {
  const team = teamOf(player, board);
  const name = board.teamAttributeId === null ? player.externalId : team;
  const place = isIn(player, board.audience) ? world.places(board).find((one) => one.name === name) : undefined;
  return { rank: place?.rank ?? null, score: place?.score ?? null, team };
}

export function listingSeen(world: World, actor: Actor, listing: Listing): (typeof LISTING_STATUSES)[number] {
  const eligibility = world.eligibility(actor, listing);
  if (!isOffered(listing, world.now)) return "NotOnSale";
  return isVisible(listing, eligibility.isEligible) ? statusOf(listing, eligibility) : "Hidden";
}

export const isInSegment = ({ definitions }: World, { player }: Actor, key: string): boolean =>
  definitions.segments.some((segment) => segment.key === key && qualifies(player, segment.rule));

/** The values that a player was given of a catalog item: the sum of numbers; otherwise a list, or a single value. */
export function itemsSeen({ items }: Actor, key: string): unknown {
  const values = items.flatMap((item) => (item.key === key ? [item.value] : []));
  if (values.every(isNumeric)) return values.reduce(addNumbers, 0);
  return values.length === 1 ? values[0] : values;
}
