import type { Database } from "#db/client.ts";
import { writeAttributes } from "../../game/attributes/service.ts";
import { ingest, MAX_BATCH } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { acceptMission, readMissionCollection, readMissions } from "../../game/missions/service/read.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { moveClockUpTo } from "../sandbox/move-clock.ts";
import { CUSTOMERS, type Fixture, fixturesOf, type HistorySpan } from "./history.ts";

/**
 * The Sandbox clock moves in steps of this size. All customers sleep until six, so in every zone a step begins on the day of each app
 * visit, which shows that day's missions.
 */
const STEP_MS = 6 * 60 * 60_000;
const MAX_CONCURRENT = 4;

type Of<Kind extends Fixture["kind"]> = Extract<Fixture, { kind: Kind }>;

/**
 * Plays the customers' fixtures of a span of time and moves the Sandbox clock with them, through the same services as the shop's backend.
 * Each step begins with joins and app visits, and ends with the events of its hours. Repeated fixtures change nothing, so an interrupted
 * play is simply repeated.
 */
export async function play(database: Database, environment: Environment, span: HistorySpan): Promise<void> {
  const fixtures = fixturesOf(CUSTOMERS, span, environment.timeZone);
  let now = await moveClockUpTo(database, environment, span.startsAt);
  let next = 0;
  for (let endsAt = span.startsAt; endsAt < span.endsAt;) {
    endsAt = Math.min(endsAt + STEP_MS, span.endsAt);
    const end = fixtures.findIndex(({ at }) => at >= endsAt);
    const step = fixtures.slice(next, end < 0 ? undefined : end);
    next += step.length;
    await begin(database, environment, now, step);
    now = await moveClockUpTo(database, environment, endsAt);
    await finish(database, environment, now, step);
  }
}

const ofKind = <Kind extends Fixture["kind"]>(fixtures: readonly Fixture[], kind: Kind): Of<Kind>[] =>
  fixtures.filter((fixture): fixture is Of<Kind> => fixture.kind === kind);

async function begin(database: Database, environment: Environment, now: number, step: readonly Fixture[]): Promise<void> {
  await sideBySide(ofKind(step, "joins"), ({ at, playerId, displayName, timeZone }) =>
    savePlayer(database, environment, at, playerId, { displayName, timeZone }),
  );
  await sideBySide(ofKind(step, "opensApp"), (fixture) => look(database, environment, now, fixture));
}

async function finish(database: Database, environment: Environment, now: number, step: readonly Fixture[]): Promise<void> {
  await sideBySide(ofKind(step, "setsAttributes"), ({ at, playerId, attributes }) => {
    const dated = Object.entries(attributes).map(([key, value]) => [key, { value, occurredAt: formatInstant(at) }]);
    return writeAttributes(database, environment, { playerId, attributes: Object.fromEntries(dated) }, []);
  });
  const items = ofKind(step, "sendsEvent").map(itemOf);
  for (let first = 0; first < items.length; first += MAX_BATCH) {
    const results = await ingest(database, environment, { items: items.slice(first, first + MAX_BATCH), mayHoldBadText: false, now });
    const refused = results.find(({ accepted }) => !accepted);
    if (refused) throw new Error(`An event of the demo is refused: ${JSON.stringify(refused.errors)}`);
  }
  for (const { playerId, points, reason, key } of ofKind(step, "getsPoints"))
    await adjustPoints(database, environment, now, { externalId: playerId, amount: points, reason, idempotencyKey: key });
}

const itemOf = ({ at, playerId, event, key, properties }: Of<"sendsEvent">) => ({
  playerId,
  event,
  occurredAt: formatInstant(at),
  idempotencyKey: key,
  properties,
});

/** Reads the missions as the app does, and accepts the offers that the player likes. */
async function look(
  database: Database,
  environment: Environment,
  now: number,
  { playerId, language, collections, accepts }: Of<"opensApp">,
): Promise<void> {
  const query = { externalId: playerId, includeCompleted: false, language };
  const feed = await readMissions(database, environment, now, { ...query, take: null });
  for (const { missionKey, status } of feed)
    if (status === "Available" && accepts.includes(missionKey)) await acceptMission(database, environment, playerId, missionKey);
  for (const collectionKey of collections) await readMissionCollection(database, environment, now, { ...query, collectionKey });
}

async function sideBySide<One>(all: readonly One[], work: (one: One) => Promise<unknown>): Promise<void> {
  const waiting = all.values();
  const worker = async () => {
    for (const one of waiting) await work(one);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
}
