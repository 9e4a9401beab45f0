import { type Database, transact } from "../../db/client.ts";
import type { Definitions, Mission } from "../definitions/compiled.ts";
import { definitionsOf } from "../definitions/service.ts";
import { applyDecision, openGround, readWholePlayer } from "../engine/apply.ts";
import type { Environment } from "../kernel/environment.ts";
import type { Player } from "../kernel/player.ts";
import { problem } from "../kernel/problem.ts";
import { playerKey } from "../players/identity.ts";
import { standingOffer } from "./advance.ts";
import { entriesToMake, type FeedEntry, feedEntries } from "./feed.ts";
import { completedRow, liveRow, type MissionRow } from "./rows.ts";
import { NOT_ENTERED } from "./state.ts";
import { loadCompletions } from "./store.ts";

export interface FeedQuery {
  externalId: string;
  take: number | null;
  includeCompleted: boolean;
  language: string | null;
}

/**
 * The missions a player is in and those newly open to them (api.md 4.5). Returning a mission enters the player, and
 * creates the player on first contact; a read that enters nobody writes nothing.
 */
export async function readMissions(database: Database, environment: Environment, now: number, query: FeedQuery): Promise<MissionRow[]> {
  const definitions = await definitionsOf(database.sql, environment);
  const key = { ...playerKey(environment.id, query.externalId), externalId: query.externalId };
  const known = await readWholePlayer(database.sql, environment.id, key);
  const entries = known === null ? [] : feedEntries(known, definitions, now, query.take);
  const feed =
    known === null || entries.some(({ occurrence }) => occurrence === null)
      ? await enter(database, environment, key, query.take)
      : { player: known, definitions, entries };
  const rows = feed.entries.flatMap(({ mission, occurrence }) =>
    occurrence === null ? [] : [liveRow(mission, occurrence, query.language)],
  );
  const room = query.take === null ? Infinity : query.take - rows.length;
  const completed = query.includeCompleted && room > 0 ? (await completedRows(database, feed, query.language)).slice(0, room) : [];
  return [...rows, ...completed];
}

interface Feed {
  player: Player;
  definitions: Definitions;
  entries: FeedEntry[];
}

/** Enters what the feed shows. A mission that its entry completes makes room for the next, so the feed is asked until it enters nothing. */
function enter(
  database: Database,
  environment: Environment,
  key: ReturnType<typeof playerKey> & { externalId: string },
  take: number | null,
): Promise<Feed> {
  return transact(database, async (tx) => {
    const { definitions, now, ...ground } = await openGround(tx, environment.id);
    const player = await applyDecision(tx, { ...ground, definitions, now }, key, (current, seq) =>
      entriesToMake(feedEntries(current, definitions, now, take), seq, now),
    );
    return { player, definitions, entries: feedEntries(player, definitions, now, take) };
  });
}

async function completedRows({ sql }: Database, { player, definitions }: Feed, language: string | null): Promise<MissionRow[]> {
  const completed = await loadCompletions(sql, player);
  return completed.flatMap((one) => {
    const mission = definitions.missionsById.get(one.missionId);
    return mission?.active && mission.appearsIn === "Feed" ? [completedRow(mission, one, language)] : [];
  });
}

/**
 * Takes up the offer of a manual mission (api.md 4.7); harmless where the player is in the mission already.
 * Problems: mission.not_locked_in (never offered), mission.offer_closed.
 */
export async function acceptMission(database: Database, environment: Environment, externalId: string, missionKey: string): Promise<void> {
  const neverOffered = () =>
    problem("mission.not_locked_in", `The player was never offered a mission "${missionKey.slice(0, 100)}".`, { parameter: "missionKey" });
  const known = (await definitionsOf(database.sql, environment)).missionsByKey.get(missionKey);
  const key = { ...playerKey(environment.id, externalId), externalId };
  const before = known === undefined ? null : await readWholePlayer(database.sql, environment.id, key);
  if (known === undefined || before === null) throw neverOffered();
  await transact(database, async (tx) => {
    const ground = await openGround(tx, environment.id);
    const mission = ground.definitions.missionsById.get(known.id) ?? known;
    await applyDecision(tx, ground, key, (player, seq) => {
      switch (standing(player, mission, ground.now)) {
        case "never offered":
          throw neverOffered();
        case "closed":
          throw problem("mission.offer_closed", `The offer of the mission "${mission.key}" has closed.`, { parameter: "missionKey" });
        case "offered":
          return [{ kind: "accept", seq, receivedAt: ground.now, missionId: mission.id }];
        case "in it":
          return [];
      }
    });
  });
}

/** How a player stands to a mission, as an accept sees it. */
function standing(player: Player, mission: Mission, now: number): "never offered" | "offered" | "closed" | "in it" {
  const state = player.missions.get(mission.topicId)?.get(mission.id) ?? NOT_ENTERED;
  if (standingOffer(mission, state, now) !== undefined) return "offered";
  const latest = state.live.at(-1);
  if (latest !== undefined) return latest.accepted === null ? "closed" : "in it";
  if (player.completedMissions.has(mission.id)) return "in it";
  if (state.last === null) return "never offered";
  return state.last.completedAt !== null || mission.optIn === "Automatic" ? "in it" : "closed";
}
