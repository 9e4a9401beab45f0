import { randomUUIDv7 } from "node:crypto";
import { type Database, retryingConflicts } from "#db/client.ts";
import { discoverDefinitions } from "./discovery.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import type { NewEvent } from "../../engine/store/applied.ts";
import { inTurns } from "../../engine/turns.ts";
import { writeForPlayers } from "../../people/projects/environments.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { judgeBatch } from "../../model/events/batch.ts";
import type { AcceptedItem, JudgedItem } from "../../model/events/items.ts";
import { type Environment, type RememberedKey, Unconfirmed } from "../../model/kernel/environment.ts";
import { type ListedProblem, problem } from "../../model/kernel/problem.ts";
import { atOnce } from "../../model/kernel/steps.ts";
import { appender, eventColumns, type FirstSeenPlayer, loggedIds } from "./store.ts";

export { eventsBelow, loadEvent, loggedIds, recentEventsOf, unappliedOf } from "./store.ts";

export interface Batch {
  items: readonly unknown[];
  /** Whether a string of the request may hold a NUL or a lone surrogate: a check of the whole body rules out most requests. */
  mayHoldBadText: boolean;
  /** The instant at which the environment was read, on its clock. */
  now: number;
  /** Sends no webhooks for the effects of the events. */
  isQuiet?: boolean;
  /** How many of the accepted items the live tail keeps, from the first on. Their effects are recorded. */
  admitToTail?(accepted: number): number;
  /** Writes nothing if players were deleted since `environment` was read, in Live too (event_batch.concurrent_update). */
  isAsRead?: boolean;
  /** Set if `environment` and `now` were cached with this API key: the append confirms that they still hold. */
  remembered?: RememberedKey | null;
}

export interface ItemResult {
  index: number;
  accepted: boolean;
  eventId: string | null;
  errors: ListedProblem[];
}

export const MAX_BATCH = 1_000;
/** Rounds of validation per batch; discoveries are defined after the first or second. */
const MAX_ROUNDS = 8;

/** The appender of a database, and the players known to be in it. */
interface EventLog {
  known: KnownPlayers;
  append: ReturnType<typeof appender>;
}

const eventLogs = new WeakMap<Database, EventLog>();

function eventLogOf(database: Database): EventLog {
  const log = eventLogs.get(database) ?? { known: new KnownPlayers(), append: appender(database.sql) };
  eventLogs.set(database, log);
  return log;
}

/** Accepts a batch that the service itself makes, such as an import's. */
export const ingest = async (database: Database, environment: Environment, batch: Batch): Promise<ItemResult[]> =>
  (await acceptBatch(database, environment, batch)).results;

interface AcceptedBatch {
  results: ItemResult[];
  /** On the environment's clock. */
  receivedAt: number;
}

/**
 * Accepts a batch of events: each item is accepted or refused alone, in the order sent. Accepted items are in the log and in the queue
 * when this returns; a replayed key gets the first event's id. With a `receivedAt` of null they are received when they are appended.
 * Problems: event_batch.empty, event_batch.too_large, event_batch.concurrent_update (nothing written). With a remembered key it throws
 * Unconfirmed where anything but one append is needed.
 */
export async function acceptBatch(
  database: Database,
  environment: Environment,
  batch: Batch,
  receivedAt: number | null = batch.now,
): Promise<AcceptedBatch> {
  if (batch.items.length === 0) throw problem("event_batch.empty", "The batch has no events.", { pointer: "#/events" });
  if (batch.items.length > MAX_BATCH) {
    throw problem("event_batch.too_large", `The batch has ${batch.items.length} events; send at most ${MAX_BATCH} in a call.`, {
      pointer: "#/events",
    });
  }
  const judged = await judge(database, environment, batch);
  if (isRemembered(batch) && judged.some((item) => "errors" in item)) throw new Unconfirmed();
  const replayed = await loggedIds(
    database.sql,
    judged.flatMap((item) => ("errors" in item && item.replayOf !== null ? [item.replayOf] : [])),
  );

  const events: NewEvent[] = [];
  const players = new Map<string, FirstSeenPlayer>();
  const newIds = new Set<string>();
  const results = judged.map((item, index) =>
    resultOf(item, index, replayed, newIds, (one, id) => {
      events.push(withId(one, id));
      players.set(one.playerId, one);
    }),
  );
  if (events.length === 0) return { results, receivedAt: batch.now };
  const recorded = batch.admitToTail === undefined ? 0 : countFirst(events, results, batch.admitToTail);
  const accepted = { events, players: [...players.values()], recorded, receivedAt };
  return { results, receivedAt: await append(database, environment, batch, accepted) };
}

const isRemembered = ({ remembered = null }: Batch): boolean => remembered !== null;

interface Accepted {
  events: readonly NewEvent[];
  players: readonly FirstSeenPlayer[];
  /** The number of events, from the first on, whose effects the fold records. */
  recorded: number;
  receivedAt: number | null;
}

/** Appends accepted events and returns the instant of receipt. Problem: event_batch.concurrent_update. Throws Unconfirmed. */
async function append(database: Database, environment: Environment, batch: Batch, accepted: Accepted): Promise<number> {
  const { known, append: appendTo } = eventLogOf(database);
  const { now: readAt, isQuiet = false, remembered = null } = batch;
  const { events, players, recorded, receivedAt } = accepted;
  const columns = await inTurns(eventColumns(events));
  const write = async (current: Environment) => {
    const newPlayers = players.filter(({ playerId }) => !known.has(playerId, current.resets));
    const request = { environment: current, events: columns, newPlayers, isQuiet, recorded, remembered, readAt, receivedAt };
    const appended = await appendRetrying(() => appendTo(request));
    if (appended !== null) for (const { playerId } of newPlayers) known.add(playerId, current.resets);
    return appended ?? undefined;
  };
  const isOnce = batch.isAsRead || remembered !== null;
  const appended = await (isOnce ? write(environment) : writeForPlayers(database, environment, write));
  if (appended !== undefined) return appended.receivedAt;
  if (remembered !== null) throw new Unconfirmed();
  throw problem(
    "event_batch.concurrent_update",
    "Players were deleted at the same instant, by a reset or an erasure. Nothing was written; send the batch again.",
  );
}

/** The number of new events among the items that the tail keeps: the first accepted ones, including replays. */
function countFirst(events: readonly NewEvent[], results: readonly ItemResult[], admit: (accepted: number) => number): number {
  const accepted = results.filter((result) => result.accepted);
  const kept = new Set(accepted.slice(0, admit(accepted.length)).map(({ eventId }) => eventId));
  return kept.size === 0 ? 0 : events.filter(({ id }) => kept.has(id)).length;
}

/** The outcome that `ingest` would have for an item: its problems in words, or its event, as far as that is known in advance. */
export type CheckedItem = { problems: string[] } | { event: (PlayerKey & { id: string }) | null; occurredAt: number };

/** Validates items as `ingest` does, without writing or defining anything. */
export async function checkItems(
  definitions: Definitions,
  environment: Environment,
  { items, mayHoldBadText, now }: Pick<Batch, "items" | "mayHoldBadText" | "now">,
): Promise<CheckedItem[]> {
  const { judged } = await inTurns(judgeBatch(items, definitions, { environmentId: environment.id, now, mayHoldBadText }, new Set()));
  return judged.map((item) => {
    if ("errors" in item) return { problems: item.errors.map(({ message }) => message) };
    const { part, playerId, id, occurredAt } = item.accepted;
    return { event: id === null ? null : { part, playerId, id }, occurredAt };
  });
}

/**
 * Validates the items against the current definitions. With discovery on, discoveries are defined first; then all items are validated again
 * against the latest definitions.
 */
async function judge(database: Database, environment: Environment, batch: Batch): Promise<JudgedItem[]> {
  const { items, mayHoldBadText, now } = batch;
  const judging = { environmentId: environment.id, now, mayHoldBadText };
  const replays = new Set<string>();
  let current = environment;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const definitions = await definitionsOf(database.sql, current);
    const { judged, finders } = await inTurns(judgeBatch(items, definitions, judging, replays));
    if (finders.length === 0) return judged;
    if (isRemembered(batch)) throw new Unconfirmed();
    const logged = await loggedIds(
      database.sql,
      finders.flatMap(({ key }) => key ?? []),
    );
    for (const id of logged) replays.add(id);
    if (logged.size > 0) continue;
    const undefinedItems = finders.map(({ item }) => item);
    const find = (latest: Definitions) => ({ events: atOnce(judgeBatch(undefinedItems, latest, judging, replays)).found });
    current = await discoverDefinitions(database, current, find);
  }
  throw problem("event_batch.concurrent_update", "The definitions kept changing. Nothing was written; send the batch again.");
}

/** The event of an item. An item with an id of its own is the event: a copy of each would be much garbage. */
const withId = (item: AcceptedItem, id: string): NewEvent => (hasId(item) ? item : { ...item, id });
const hasId = (item: AcceptedItem): item is AcceptedItem & { id: string } => item.id !== null;

/** A refused item that replays an event of the log, or of this batch, gets that event's result. */
function resultOf(
  item: JudgedItem,
  index: number,
  replayed: ReadonlySet<string>,
  written: Set<string>,
  write: (accepted: AcceptedItem, id: string) => void,
): ItemResult {
  if ("errors" in item) {
    const replay = item.replayOf !== null && (replayed.has(item.replayOf.id) || written.has(item.replayOf.id)) ? item.replayOf.id : null;
    return { index, accepted: replay !== null, eventId: replay, errors: replay === null ? item.errors : [] };
  }
  const id = item.accepted.id ?? randomUUIDv7();
  if (!written.has(id)) write(item.accepted, id);
  written.add(id);
  return { index, accepted: true, eventId: id, errors: [] };
}

/**
 * Runs an append, and retries it after a conflict with another request. Problem: event_batch.concurrent_update, when retries do not
 * succeed.
 */
export const appendRetrying = <T>(run: () => Promise<T>): Promise<T> =>
  retryingConflicts(run, () =>
    problem(
      "event_batch.concurrent_update",
      "Other requests wrote the same players at the same instant. Nothing was written; send it again.",
    ),
  );

/** Players in a generation of `KnownPlayers`. */
const GENERATION = 50_000;

/**
 * Players whose rows this process has seen committed, so that a batch inserts only those that may be new. It is bounded by two generations:
 * a full recent one replaces the older one. Forgetting a player costs an insert that finds the row. Entries are valid for one number of
 * resets: after the next reset of the environment its players are unknown again.
 */
class KnownPlayers {
  private recent = new Map<string, number>();
  private older = new Map<string, number>();

  has(playerId: string, resets: number): boolean {
    return this.recent.get(playerId) === resets || (this.older.get(playerId) === resets && this.add(playerId, resets));
  }

  /** Call only once the player's row is committed, with the resets that it was written under. */
  add(playerId: string, resets: number): true {
    if (this.recent.size >= GENERATION) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(playerId, resets);
    return true;
  }
}
