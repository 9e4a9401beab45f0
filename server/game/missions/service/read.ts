import { pageOf } from "#server/model/kernel/page.ts";
import type { Database } from "#db/client.ts";
import { applyDecision, mustBeAsRead, readPlayerTogether, readWholePlayer } from "#server/engine/apply.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { resolveInputs } from "#server/engine/inputs.ts";
import { type CompletionCursor, type ListedCompletion, loadCompletions, selectCompletionsBelow } from "#server/engine/store/missions.ts";
import type { Definitions, Mission } from "#server/model/definitions/compiled.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Fact } from "#server/model/kernel/facts.ts";
import type { Player } from "#server/model/kernel/player.ts";
import { problem } from "#server/model/kernel/problem.ts";
import { described } from "#server/model/kernel/texts.ts";
import { acceptState } from "#server/model/missions/advance.ts";
import { actionable, entriesOf, entriesToMake, type FeedEntry, liveEntries, mightEnter } from "#server/model/missions/feed.ts";
import { completedRow, liveRow, lockedRow, type MissionRow } from "#server/model/missions/rows.ts";
import { derivedId, playerKey } from "#server/model/players/identity.ts";
import { inputsOfAudiences } from "#server/model/rules/audience.ts";
import { shortened } from "#server/model/rules/naming.ts";

export { loadCompletions } from "#server/engine/store/missions.ts";

export interface MissionQuery {
  externalId: string;
  includeCompleted: boolean;
  language: string | null;
}

/**
 * The missions of a player: open ones in creation order, including newly open ones, then completed occurrences, then locked ones. Returning
 * a mission enters the player, and creates the player on first contact. A read without an entry writes nothing.
 */
export async function readMissions(
  database: Database,
  environment: Environment,
  now: number,
  { take, ...query }: MissionQuery & { take: number | null },
): Promise<MissionRow[]> {
  const definitions = await definitionsOf(database.sql, environment);
  const inFeed = (current: Definitions) => current.missions.filter(({ appearsIn }) => appearsIn === "Feed");
  const read = await readEntries(database, environment, definitions, now, query, { select: inFeed, take });
  const rows = actionable(read.entries, take).flatMap((entry) => entryRows(entry, query.language));
  const hasRoom = take === null || rows.length < take;
  if (query.includeCompleted && hasRoom) rows.push(...(await completedRows(database, read, query.language)));
  rows.push(...read.entries.filter(({ status }) => status === "locked").flatMap((entry) => entryRows(entry, query.language)));
  return take === null ? rows : rows.slice(0, take);
}

/** The stored occurrences of a player, for the dashboard: it enters nothing and writes nothing. Empty for an unknown player. */
export async function readLiveMissions(
  { sql }: Database,
  environment: Environment,
  now: number,
  externalId: string,
): Promise<MissionRow[]> {
  const definitions = await definitionsOf(sql, environment);
  const player = await readWholePlayer(sql, environment.id, playerKey(environment.id, externalId));
  return player === null ? [] : liveEntries(player, definitions.missions, now).flatMap((entry) => entryRows(entry, null));
}

export interface MissionCollectionRow {
  collectionId: string;
  key: string;
  name: string;
  description: string | null;
  images: Readonly<Record<string, string>>;
  missions: MissionRow[];
}

/**
 * A collection with its missions in its own order, wherever else they appear. It enters like `readMissions`. A mission's live occurrences
 * come first, then its completed ones, newest first. Problem: mission_collection.not_found (unknown, malformed, switched off).
 */
export async function readMissionCollection(
  database: Database,
  environment: Environment,
  now: number,
  { collectionKey, ...query }: MissionQuery & { collectionKey: string },
): Promise<MissionCollectionRow> {
  const definitions = await definitionsOf(database.sql, environment);
  const collection = definitions.missionCollectionsByKey.get(collectionKey);
  if (!collection?.active) {
    const message = `There is no mission collection "${shortened(collectionKey)}".`;
    throw problem("mission_collection.not_found", message, { parameter: "collectionKey" });
  }
  const { key } = collection;
  const ofCollection = (current: Definitions) => current.missionCollectionsByKey.get(key)?.missions ?? [];
  const read = await readEntries(database, environment, definitions, now, query, { select: ofCollection, take: null });
  const rows = read.entries.flatMap((entry) => entryRows(entry, query.language));
  if (query.includeCompleted) rows.push(...(await completedRows(database, read, query.language)));
  const byMission = Map.groupBy(rows, ({ missionKey }) => missionKey);
  return {
    collectionId: derivedId("missionCollection", collection.id),
    key,
    ...described(collection, query.language),
    missions: read.missions.flatMap((mission) => byMission.get(mission.key) ?? []),
  };
}

/** Enters a player in every mission that is open to them, as reading all of them would, and creates the player on first contact. */
export async function enterAll(
  database: Database,
  environment: Environment,
  now: number,
  externalId: string,
  how: Pick<Selection, "isQuiet" | "isAsRead" | "at">,
): Promise<void> {
  const definitions = await definitionsOf(database.sql, environment);
  const query = { externalId, includeCompleted: false, language: null };
  await readEntries(database, environment, definitions, now, query, { select: ({ missions }) => missions, take: null, ...how });
}

/** Which missions are read, and how many of those that can be acted on. */
interface Selection {
  select(definitions: Definitions): readonly Mission[];
  take: number | null;
  /** Sends no webhooks for the effects of entering. */
  isQuiet?: boolean;
  /** Enters no one if players were deleted since `environment` was read (service.unavailable). */
  isAsRead?: boolean;
  /** The instant of entry, if it lies in the past. */
  at?: number;
}

/** The rows of a read of missions, after its entries. */
interface Read {
  player: Player;
  definitions: Definitions;
  missions: readonly Mission[];
  entries: FeedEntry[];
}

async function readEntries(
  database: Database,
  environment: Environment,
  definitions: Definitions,
  now: number,
  { externalId }: MissionQuery,
  selection: Selection,
): Promise<Read> {
  const key = { ...playerKey(environment.id, externalId), externalId };
  const missions = selection.select(definitions);
  const known = await readPlayerTogether(database, environment.id, key);
  if (known === null) return enter(database, environment, key, selection);
  const asked = inputsOfAudiences(missions.filter((mission) => mightEnter(known, definitions, mission, now)));
  const inputs = await resolveInputs(database.sql, definitions, now, known, asked);
  if (inputs === null) return enter(database, environment, key, selection);
  const player = { ...known, inputs };
  const entries = entriesOf(player, definitions, missions, now);
  const entersSomething = actionable(entries, selection.take).some(({ status }) => status === "open");
  return entersSomething ? enter(database, environment, key, selection) : { player, definitions, missions, entries };
}

/** Enters the shown missions. A mission completed by its entry makes room for the next, so entries are computed until there are none. */
async function enter(
  database: Database,
  environment: Environment,
  key: ReturnType<typeof playerKey> & { externalId: string },
  { select, take, isQuiet = false, isAsRead = false, at }: Selection,
): Promise<Read> {
  const entered = await applyDecision(
    database,
    environment.id,
    key,
    (locked) => {
      const { definitions, now } = locked;
      if (isAsRead) mustBeAsRead(locked, environment);
      const missions = select(definitions);
      return {
        decide: (player, seq) =>
          entriesToMake(actionable(entriesOf(player, definitions, missions, now), take), seq, now).map((entry) =>
            isQuiet ? { ...entry, isQuiet } : entry,
          ),
        wanted: () => inputsOfAudiences(missions.filter(({ active }) => active)),
      };
    },
    at,
  );
  if (entered === null) throw new Error("A read that enters was not decided.");
  const { player, locked } = entered;
  const missions = select(locked.definitions);
  return { player, definitions: locked.definitions, missions, entries: entriesOf(player, locked.definitions, missions, locked.now) };
}

function entryRows(entry: FeedEntry, language: string | null): MissionRow[] {
  switch (entry.status) {
    case "live":
      return [liveRow(entry.mission, entry.occurrence, language)];
    case "locked":
      return [lockedRow(entry.mission, entry.occurrenceNumber, language)];
    case "open":
      return [];
  }
}

async function completedRows({ sql }: Database, { player, missions }: Read, language: string | null): Promise<MissionRow[]> {
  const completed = await loadCompletions(sql, player);
  const byId = new Map(missions.map((mission) => [mission.id, mission]));
  return completed.flatMap((one) => {
    const mission = byId.get(one.missionId);
    return mission?.active ? [completedRow(mission, one, language)] : [];
  });
}

/**
 * Accepts the offer of a manual mission; does nothing if the player is already in it. Problems: mission.not_locked_in (never
 * offered), mission.offer_closed.
 */
export async function acceptMission(database: Database, environment: Environment, externalId: string, missionKey: string): Promise<void> {
  const neverOffered = () =>
    problem("mission.not_locked_in", `The player was never offered a mission "${shortened(missionKey)}".`, { parameter: "missionKey" });
  const key = { ...playerKey(environment.id, externalId), externalId };
  await applyDecision(database, environment.id, key, ({ definitions, now }) => {
    const mission = definitions.missionsByKey.get(missionKey);
    if (mission === undefined) throw neverOffered();
    const decide = (player: Player, seq: number): Fact[] => {
      switch (acceptState(player, mission, now)) {
        case "never offered":
          throw neverOffered();
        case "closed":
          throw problem("mission.offer_closed", `The offer of the mission "${mission.key}" has closed.`, { parameter: "missionKey" });
        case "offered":
          return [{ kind: "accept", seq, receivedAt: now, missionId: mission.id }];
        case "in it":
          return [];
      }
    };
    return { absent: neverOffered, decide };
  });
}

export type { CompletionCursor };

/** A completed occurrence with the key of its mission; null if the mission was deleted. */
export type Completion = ListedCompletion & { mission: string | null };

/** A page of a player's completions, newest first; `next` is the cursor of the next page. Empty for an unknown player. Read-only. */
export async function completedOf(
  { sql }: Database,
  environment: Environment,
  externalId: string,
  below: CompletionCursor | null,
  limit: number,
): Promise<{ completions: Completion[]; next: CompletionCursor | null }> {
  const [{ missionsById }, rows] = await Promise.all([
    definitionsOf(sql, environment),
    selectCompletionsBelow(sql, playerKey(environment.id, externalId), below, limit + 1),
  ]);
  const { page, next } = pageOf(rows, limit);
  return { completions: page.map((row) => ({ ...row, mission: missionsById.get(row.missionId)?.key ?? null })), next };
}

export {
  missionsOfCompletions as missionsOfOccurrences,
  selectCompletionsBelow as completionsBelow,
} from "#server/engine/store/missions.ts";
