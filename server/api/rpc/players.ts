import { pageOf } from "../../model/kernel/page.ts";
import { dated, partsOf } from "./inputs.ts";
import { UUID } from "../../model/kernel/stored.ts";
import { ORPCError } from "@orpc/server";
import { hasBadText, writeJson } from "../../model/kernel/json.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import type { TaggedValue } from "../../model/kernel/values.ts";
import { rewardText } from "../../model/rules/reward.ts";
import type { SummaryRow } from "../../model/leaderboards/rows.ts";
import { hideFromBoards, showOnBoards } from "../../game/leaderboards/service/hide.ts";
import { lookAtStandings } from "../../game/leaderboards/service/read.ts";
import type { MissionRow } from "../../model/missions/rows.ts";
import { awardMission } from "../../game/missions/service/award.ts";
import { completedOf, type Completion, type CompletionCursor } from "../../game/missions/service/read.ts";
import { missedOf, restoreStreak } from "../../game/streaks/service/periods.ts";
import type { StreakRow } from "../../model/streaks/rows.ts";
import { readBalances } from "../../game/points/service.ts";
import { findPlayers } from "../../game/players/service/players.ts";
import { adjustPointsByHand, changeProfile, writeNote } from "../../game/players/service/by-hand.ts";
import { TIMELINE_GROUPS, TIMELINE_TYPES, type TimelineType, UUID_TYPES } from "../../game/players/service/timeline-sources.ts";
import { readTimeline, type TimelineCursor } from "../../game/players/service/timeline.ts";
import { type ReadPlayer, readPlayer } from "../../game/players/service/reading.ts";
import { type FoundPlayer, newestPlayers, type PlayerCursor } from "../../game/players/store.ts";
import { z } from "zod";
import { profile } from "../../game/players/contract.ts";
import { cursor, inEnvironment, MAX_ID_LENGTH, MAX_TEXT_LENGTH } from "../../model/contract/rpc.ts";
import { forEnvironment } from "../access.ts";

const MAX_QUERY_LENGTH = 200;

const query = z.string().max(MAX_QUERY_LENGTH).default("");
const playerInput = inEnvironment.extend({ externalId: z.string().min(1).max(MAX_ID_LENGTH) });

export const playersDashboardProcedures = {
  /** Players whose external id or display name begins with the search, the exact external id first; the newest without a search. */
  search: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ query, limit: z.int().min(1).max(100).default(20) }),
    async ({ query, limit }, { database, environment }) => {
      const beginning = query.trim();
      // The database cannot store such an id, so it matches no player.
      const found = hasBadText(beginning) ? [] : await findPlayers(database, environment, beginning, limit);
      return { players: found.map(shown) };
    },
  ),
  /** The same by pages: `next` is the cursor among the newest players. A search has one page, with `isCut` if there are more results. */
  list: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ query, cursor, limit: z.int().min(1).max(100).default(50) }),
    async ({ query, cursor, limit }, { database, environment }) => {
      const beginning = query.trim();
      if (hasBadText(beginning)) return { players: [], next: null, isCut: false };
      const isSearch = beginning !== "";
      const found = isSearch
        ? await findPlayers(database, environment, beginning, limit + 1)
        : await newestPlayers(database.sql, environment.id, limit + 1, cursorOf(cursor));
      const { page, next } = pageOf(found, limit);
      const balances = await readBalances(database.sql, page);
      const listed = page.map((player) => {
        const { playerId, lastActiveOn } = player;
        return { ...shown(player), balance: balances.get(playerId) ?? 0, lastActiveOn };
      });
      return { players: listed, next: isSearch ? null : next && cursorAt(next), isCut: isSearch && next !== null };
    },
  ),
  /** A player's current state. Read-only: they are entered into no mission. */
  get: forEnvironment("Viewer", "costly")(playerInput, async ({ externalId }, { database, environment, now }) => {
    const player = hasBadText(externalId) ? null : await readPlayer(database, environment, now, externalId);
    if (player === null) throw new ORPCError("NOT_FOUND", { message: "There is no such player in this environment." });
    return seen(player);
  }),
  /** The player's completed occurrences, newest first; `next` is the cursor of the next page. */
  completions: forEnvironment("Viewer", "cheap")(
    playerInput.extend({ cursor, limit: z.int().min(1).max(100).default(10) }),
    async ({ externalId, cursor, limit }, { database, environment }) => {
      const below = completionAt(cursor);
      if (hasBadText(externalId)) return { completions: [], next: null };
      const { completions, next } = await completedOf(database, environment, externalId, below, limit);
      return { completions: completions.map(seenCompletion), next: next === null ? null : `${next.completedAt} ${next.occurrenceId}` };
    },
  ),
  /** Everything that happened to a player, the newest first; of some groups, or of all where none is named. */
  timeline: forEnvironment("Viewer", "costly")(
    playerInput.extend({
      groups: z.array(z.enum(TIMELINE_GROUPS)).max(TIMELINE_GROUPS.length).default([]),
      cursor,
      limit: z.int().min(1).max(100).default(25),
    }),
    async ({ externalId, groups, cursor, limit }, { database, environment }) => {
      const after = timelineCursorOf(cursor);
      if (hasBadText(externalId)) return { entries: [], next: null };
      const { entries, next } = await readTimeline(database, environment, externalId, groups, after, limit);
      return { entries, next: next === null ? null : `${next.at} ${next.type} ${next.id}` };
    },
  ),
  /** Credits or debits points by hand; the same `requestId` again changes nothing. */
  adjustPoints: forEnvironment("Support", "cheap")(
    playerInput.extend({
      amount: z.int().refine((amount) => amount !== 0, "must not be 0."),
      reason: z.string().max(MAX_TEXT_LENGTH),
      requestId: z.uuid(),
    }),
    async (input, { database, environment, actor }) => {
      const { balance } = await adjustPointsByHand(database, environment, input, actor);
      return { balance };
    },
  ),
  /**
   * Grants the occurrence of a mission that is open now, with its rewards, as if the player had done it; the same `requestId` again changes
   * nothing.
   */
  grantMission: forEnvironment("Support", "cheap")(
    playerInput.extend({ mission: z.string().max(MAX_ID_LENGTH), reason: z.string().max(MAX_TEXT_LENGTH), requestId: z.uuid() }),
    async (input, { database, environment, actor }) => {
      const { externalId, mission: missionKey, reason, requestId } = input;
      await awardMission(database, environment, { externalId, missionKey, objectiveId: null, reason, requestId }, actor);
    },
  ),
  /**
   * Grants one objective of the open occurrence, by its id, and enters the player if necessary; later activity counts for the others. The
   * last objective completes the mission. The same `requestId` again changes nothing.
   */
  grantObjective: forEnvironment("Support", "cheap")(
    playerInput.extend({
      mission: z.string().max(MAX_ID_LENGTH),
      objective: z.string().max(MAX_ID_LENGTH),
      reason: z.string().max(MAX_TEXT_LENGTH),
      requestId: z.uuid(),
    }),
    async (input, { database, environment, actor }) => {
      const { externalId, mission: missionKey, objective: objectiveId, reason, requestId } = input;
      await awardMission(database, environment, { externalId, missionKey, objectiveId, reason, requestId }, actor);
    },
  ),
  /** The missed periods of the player's last lost streak, by local start: those that `restoreStreak` would restore. */
  missedPeriods: forEnvironment("Viewer", "cheap")(
    playerInput.extend({ streak: z.string().max(MAX_ID_LENGTH) }),
    async ({ externalId, streak }, { database, environment, now }) => ({
      periods: hasBadText(externalId) ? [] : await missedOf(database, environment, now, externalId, streak),
    }),
  ),
  /** Marks the missed periods as qualified, so that the streak continues; returns their number. */
  restoreStreak: forEnvironment("Support", "cheap")(
    playerInput.extend({ streak: z.string().max(MAX_ID_LENGTH), reason: z.string().max(MAX_TEXT_LENGTH) }),
    async (input, { database, environment, actor }) => {
      const { externalId, streak: streakKey, reason } = input;
      return { periods: await restoreStreak(database, environment, { externalId, streakKey, reason }, actor) };
    },
  ),
  /** Changes the given fields of a player's profile; returns the previous values. */
  changeProfile: forEnvironment("Support", "cheap")(
    playerInput.extend({ ...profile.partial().shape, reason: z.string().max(MAX_TEXT_LENGTH) }),
    (input, { database, environment, actor }) => changeProfile(database, environment, input, actor),
  ),
  /** Writes a note about a player, which the team sees in the timeline. */
  writeNote: forEnvironment("Support", "cheap")(
    playerInput.extend({ note: z.string().max(4 * MAX_TEXT_LENGTH) }),
    ({ externalId, note }, { database, environment, actor }) => writeNote(database, environment, externalId, note, actor),
  ),
  /** Hides a player from all leaderboards until shown again; scores continue in the background. */
  hideFromBoards: forEnvironment("Support", "cheap")(
    playerInput.extend({ reason: z.string().max(MAX_TEXT_LENGTH) }),
    ({ externalId, reason }, { database, environment, actor }) => hideFromBoards(database, environment, externalId, reason, actor),
  ),
  /** Shows a hidden player again, with their current scores. */
  showOnBoards: forEnvironment("Support", "cheap")(
    playerInput.extend({ reason: z.string().max(MAX_TEXT_LENGTH) }),
    ({ externalId, reason }, { database, environment, actor }) => showOnBoards(database, environment, externalId, reason, actor),
  ),
  /** The player's standing on the running leaderboards that they may see, those with a score first. It reads only. */
  standings: forEnvironment("Viewer", "costly")(playerInput, async ({ externalId }, { database, environment, now }) => {
    if (hasBadText(externalId)) return { standings: [] };
    const boards = await lookAtStandings(database, environment, now, externalId);
    const standings = boards.map(seenStanding);
    return { standings: [...standings.filter(({ own }) => own !== null), ...standings.filter(({ own }) => own === null)] };
  }),
};

const shown = ({ externalId, displayName, createdAt }: FoundPlayer) => ({ externalId, displayName, createdAt: formatInstant(createdAt) });
const cursorAt = ({ createdAt, playerId }: PlayerCursor): string => `${createdAt} ${playerId}`;
const CURSOR = new RegExp(`^(-?\\d{1,15}) (${UUID})$`);
const TIMELINE_CURSOR = new RegExp(
  `^(-?\\d{1,15}) (?:(${UUID_TYPES.join("|")}) (${UUID})|(?!${UUID_TYPES.join("|")})(${TIMELINE_TYPES.join("|")}) (\\d{1,15}))$`,
);

function cursorOf(cursor: string | null): PlayerCursor | null {
  const parts = partsOf(cursor, CURSOR);
  return parts && { createdAt: Number(parts[0]), playerId: parts[1]! };
}

function completionAt(cursor: string | null): CompletionCursor | null {
  const parts = partsOf(cursor, CURSOR);
  return parts && { completedAt: Number(parts[0]), occurrenceId: parts[1]! };
}

function timelineCursorOf(cursor: string | null): TimelineCursor | null {
  const parts = partsOf(cursor, TIMELINE_CURSOR);
  return parts && { at: Number(parts[0]), type: (parts[1] ?? parts[3]) as TimelineType, id: (parts[2] ?? parts[4])! };
}

const seen = ({ attributes, metrics, streaks, missions, ...rest }: ReadPlayer) => ({
  ...dated(rest, "createdAt", "hiddenAt"),
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: writeJson(value) })),
  metrics: metrics.map(({ key, total }) => ({ key, total: writeJson(total) })),
  streaks: streaks.map(seenStreak),
  missions: missions.map(seenMission),
});

const seenStreak = (streak: StreakRow) => ({
  key: streak.streakKey,
  name: streak.name,
  cadence: streak.cadence,
  length: streak.currentLength,
  longest: streak.longestLength,
  endsAt: streak.endsAtUtc,
  isQualifiedNow: streak.isQualifiedThisPeriod,
  freezes: streak.freezesAvailable,
});

const seenMission = ({ missionKey, name, images, isAccepted, occurrenceNumber, startedAtUtc, objectives }: MissionRow) => ({
  key: missionKey,
  name,
  images: { ...images },
  isAccepted,
  occurrence: occurrenceNumber,
  startedAt: startedAtUtc ?? "",
  objectives: objectives.map(({ description, isSatisfied, progress: { actual, target, fraction } }) => ({
    description,
    isSatisfied,
    actual: textOf(actual),
    target: textOf(target),
    fraction: fraction === null ? null : Number(fraction),
  })),
});

/** A value as JSON text, without its type. */
function textOf(tagged: TaggedValue | null): string | null {
  if (tagged === null) return null;
  return tagged.type === "collection" ? `[${tagged.items.map(textOf).join(",")}]` : writeJson(tagged.value);
}

const seenCompletion = ({ occurrenceId, mission, occurrenceNumber, startedAt, completedAt, rewards }: Completion) => ({
  id: occurrenceId,
  mission,
  occurrence: occurrenceNumber,
  startedAt: formatInstant(startedAt),
  completedAt: formatInstant(completedAt),
  rewards: rewards.map((reward) =>
    reward.kind === "CatalogItem"
      ? { catalogItem: reward.catalogItemKey, value: writeJson(reward.value) }
      : { catalogItem: null, text: rewardText(reward, { itemName: (key) => key }) },
  ),
});

const seenStanding = ({ leaderboardKey, period, participants, me, team, league, isLocked }: SummaryRow) => ({
  leaderboard: leaderboardKey,
  endsAt: period.endsAtUtc,
  participants,
  own: me === null ? null : { rank: me.rank, score: writeJson(me.score) },
  team: team?.teamKey ?? null,
  tier: league === null || isLocked ? null : league.tierName,
  isLocked,
});
