import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { hasBadText, writeJson } from "../../model/kernel/json.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import type { TaggedValue } from "../../model/kernel/values.ts";
import type { SummaryRow } from "../../model/leaderboards/rows.ts";
import { hideFromBoards, showOnBoards } from "../../game/leaderboards/service/hide.ts";
import { lookAtStandings } from "../../game/leaderboards/service/read.ts";
import type { MissionRow } from "../../model/missions/rows.ts";
import { awardMission } from "../../game/missions/service/award.ts";
import { completedOf, type Completion, type CompletionCursor } from "../../game/missions/service/completed.ts";
import { missedOf, restoreStreak } from "../../game/streaks/service/restore.ts";
import type { StreakRow } from "../../model/streaks/rows.ts";
import { readBalances } from "../../game/points/service.ts";
import {
  type CompletionSeen,
  playersDashboard,
  TIMELINE_KINDS,
  type PlayerSeen,
  type StandingSeen,
} from "../../game/players/contract.dashboard.ts";
import { findPlayers } from "../../game/players/service.ts";
import { adjustPointsByHand } from "../../game/players/service/adjust-points.ts";
import { changeProfile } from "../../game/players/service/change-profile.ts";
import { readTimeline, type TimelineCursor } from "../../game/players/service/timeline.ts";
import { seenEntry } from "../../game/players/service/timeline-entry.ts";
import { type ReadPlayer, readPlayer } from "../../game/players/service/reading.ts";
import { type FoundPlayer, newestPlayers, type PlayerCursor } from "../../game/players/store.ts";
import { definitionsOf } from "../../engine/definitions.ts";

const dashboard = implement(playersDashboard).$context<DashboardContext>().use(guard);

export const playersDashboardProcedures = {
  search: dashboard.search.handler(async ({ input: { query, limit }, context: { database, environment } }) => {
    const beginning = query.trim();
    // The database cannot store such an id, so it matches no player.
    const found = hasBadText(beginning) ? [] : await findPlayers(database, environment, beginning, limit);
    return { players: found.map(shown) };
  }),
  list: dashboard.list.handler(async ({ input: { query, cursor, limit }, context: { database, environment } }) => {
    const beginning = query.trim();
    if (hasBadText(beginning)) return { players: [], next: null, isCut: false };
    const isSearch = beginning !== "";
    const found = isSearch
      ? await findPlayers(database, environment, beginning, limit + 1)
      : await newestPlayers(database.sql, environment.id, limit + 1, cursorOf(cursor));
    const players = found.slice(0, limit);
    const hasMore = found.length > limit;
    const balances = await readBalances(database.sql, players);
    const listed = players.map((player) => {
      const { playerId, lastActiveOn } = player;
      return { ...shown(player), balance: balances.get(playerId) ?? 0, lastActiveOn };
    });
    return { players: listed, next: hasMore && !isSearch ? cursorAt(players.at(-1)!) : null, isCut: hasMore && isSearch };
  }),
  get: dashboard.get.handler(async ({ input: { externalId }, context: { database, environment, now } }) => {
    const player = hasBadText(externalId) ? null : await readPlayer(database, environment, now, externalId);
    if (player === null) throw new ORPCError("NOT_FOUND", { message: "There is no such player in this environment." });
    return seen(player);
  }),
  completions: dashboard.completions.handler(async ({ input: { externalId, cursor, limit }, context: { database, environment } }) => {
    const below = completionAt(cursor);
    if (hasBadText(externalId)) return { completions: [], next: null };
    const { completions, next } = await completedOf(database, environment, externalId, below, limit);
    return { completions: completions.map(seenCompletion), next: next === null ? null : `${next.completedAt} ${next.occurrenceId}` };
  }),
  timeline: dashboard.timeline.handler(async ({ input: { externalId, types, cursor, limit }, context: { database, environment } }) => {
    const after = timelineCursorOf(cursor);
    if (hasBadText(externalId)) return { entries: [], next: null };
    const [timeline, definitions] = await Promise.all([
      readTimeline(database, environment, externalId, types, after, limit),
      definitionsOf(database.sql, environment),
    ]);
    const { next } = timeline;
    return {
      entries: timeline.rows.map((row) => seenEntry(row, timeline.sources, definitions)),
      next: next === null ? null : `${next.at} ${next.type} ${next.id}`,
    };
  }),
  adjustPoints: dashboard.adjustPoints.handler(async ({ input, context: { database, environment, actor } }) => {
    const { balance } = await adjustPointsByHand(database, environment, input, actor);
    return { balance };
  }),
  grantMission: dashboard.grantMission.handler(async ({ input, context: { database, environment, actor } }) => {
    const { externalId, mission: missionKey, reason, requestId } = input;
    await awardMission(database, environment, { externalId, missionKey, objectiveId: null, reason, requestId }, actor);
    return {};
  }),
  grantObjective: dashboard.grantObjective.handler(async ({ input, context: { database, environment, actor } }) => {
    const { externalId, mission: missionKey, objective: objectiveId, reason, requestId } = input;
    await awardMission(database, environment, { externalId, missionKey, objectiveId, reason, requestId }, actor);
    return {};
  }),
  missedPeriods: dashboard.missedPeriods.handler(async ({ input: { externalId, streak }, context: { database, environment, now } }) => ({
    periods: hasBadText(externalId) ? [] : await missedOf(database, environment, now, externalId, streak),
  })),
  restoreStreak: dashboard.restoreStreak.handler(async ({ input, context: { database, environment, actor } }) => {
    const { externalId, streak: streakKey, reason } = input;
    return { periods: await restoreStreak(database, environment, { externalId, streakKey, reason }, actor) };
  }),
  changeProfile: dashboard.changeProfile.handler(({ input, context: { database, environment, actor } }) =>
    changeProfile(database, environment, input, actor),
  ),
  hideFromBoards: dashboard.hideFromBoards.handler(async ({ input: { externalId, reason }, context: { database, environment, actor } }) => {
    await hideFromBoards(database, environment, externalId, reason, actor);
    return {};
  }),
  showOnBoards: dashboard.showOnBoards.handler(async ({ input: { externalId, reason }, context: { database, environment, actor } }) => {
    await showOnBoards(database, environment, externalId, reason, actor);
    return {};
  }),
  standings: dashboard.standings.handler(async ({ input: { externalId }, context: { database, environment, now } }) => {
    if (hasBadText(externalId)) return { standings: [] };
    const boards = await lookAtStandings(database.sql, environment, now, externalId);
    const standings = boards.map(seenStanding);
    return { standings: [...standings.filter(({ own }) => own !== null), ...standings.filter(({ own }) => own === null)] };
  }),
};

const shown = ({ externalId, displayName, createdAt }: FoundPlayer) => ({ externalId, displayName, createdAt: formatInstant(createdAt) });

const cursorAt = ({ createdAt, playerId }: PlayerCursor): string => `${createdAt} ${playerId}`;

const CURSOR = /^(-?\d{1,15}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The instant and the id encoded in a cursor. */
function readCursor(cursor: string): { at: number; id: string } {
  const [, at, id] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return { at: Number(at), id };
}

function cursorOf(cursor: string | null): PlayerCursor | null {
  if (cursor === null) return null;
  const { at, id } = readCursor(cursor);
  return { createdAt: at, playerId: id };
}

const TIMELINE_CURSOR = /^(-?\d{1,15}) ([A-Z][a-z]+) ([0-9a-f-]{1,36})$/;

function timelineCursorOf(cursor: string | null): TimelineCursor | null {
  if (cursor === null) return null;
  const [, at, type, id] = TIMELINE_CURSOR.exec(cursor) ?? [];
  const known = TIMELINE_KINDS.find((one) => one === type);
  const isOfIds = known === "Item" || known === "Completion";
  if (at === undefined || id === undefined || known === undefined || !(isOfIds ? UUID : /^\d{1,15}$/).test(id))
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return { at: Number(at), type: known, id };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function completionAt(cursor: string | null): CompletionCursor | null {
  if (cursor === null) return null;
  const { at, id } = readCursor(cursor);
  return { completedAt: at, occurrenceId: id };
}

const seen = ({ attributes, metrics, streaks, missions, createdAt, hiddenAt, ...rest }: ReadPlayer): PlayerSeen => ({
  ...rest,
  createdAt: formatInstant(createdAt),
  hiddenAt: hiddenAt === null ? null : formatInstant(hiddenAt),
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
  ...{ key: missionKey, name, images: { ...images }, isAccepted },
  occurrence: occurrenceNumber,
  startedAt: startedAtUtc ?? "",
  objectives: objectives.map(({ description, isSatisfied, progress: { actual, target, fraction } }) => ({
    ...{ description, isSatisfied },
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

const seenCompletion = ({ occurrenceId, mission, occurrenceNumber, startedAt, completedAt, rewards }: Completion): CompletionSeen => ({
  id: occurrenceId,
  mission,
  occurrence: occurrenceNumber,
  startedAt: formatInstant(startedAt),
  completedAt: formatInstant(completedAt),
  rewards: rewards.map((reward) =>
    reward.kind === "Points"
      ? { kind: reward.kind, points: reward.points }
      : { kind: reward.kind, catalogItem: reward.catalogItemKey, value: writeJson(reward.value) },
  ),
});

const seenStanding = ({ leaderboardKey, period, participants, me, team, league, isLocked }: SummaryRow): StandingSeen => ({
  leaderboard: leaderboardKey,
  endsAt: period.endsAtUtc,
  participants,
  own: me === null ? null : { rank: me.rank, score: writeJson(me.score) },
  team: team?.teamKey ?? null,
  tier: league === null || isLocked ? null : league.tierName,
  isLocked,
});
