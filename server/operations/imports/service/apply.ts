import { type Database, transact } from "#db/client.ts";
import { writeAttributes } from "#server/game/attributes/service.ts";
import { countWaiting } from "#server/engine/store/queue.ts";
import { ingest } from "#server/game/events/service.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { Problem } from "#server/model/kernel/problem.ts";
import { adjustPoints } from "#server/game/points/service.ts";
import { type DueImport, giveBack, saveApplied } from "../store.ts";
import { settleLines, type WaitingLine, waitingLines } from "../store/lines.ts";
import { enterPlayers } from "./enter.ts";
import { savePlayerAsRead } from "#server/game/players/service/save-as-read.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";

/** Lines in a slice. Events are one request's worth; everything else goes through a transaction for each line. */
const SLICE = { players: 200, attributes: 100, events: 500, points: 200 } as const;
/** Events of an unattended import: more, as each of their players looks at their missions once in a slice. */
const UNATTENDED_SLICE = 1_000;

const sliceOf = ({ kind, isUnattended }: DueImport): number => (isUnattended && kind === "events" ? UNATTENDED_SLICE : SLICE[kind]);

/** The facts of an environment that may wait before more are added: what comes in live waits behind at most so many of an import. */
const MOST_WAITING = 1_000;

/** What a step did: `waiting` where the queue of facts is too long to add to. */
export type Step = "done" | "waiting";

/** Lines that were refused though the check found nothing: definitions or balances have changed since. */
interface Refusal {
  line: number;
  problems: string[];
}

interface Applying {
  database: Database;
  environment: Environment;
  /** On the environment's clock. */
  now: number;
  due: DueImport;
}

/**
 * Applies the next lines of an import. Each goes through the verb that a request would, under a key that is derived from what it says: a
 * slice that was applied and not noted, because its worker died, changes nothing when it is applied again.
 */
export async function applySlice(database: Database, due: DueImport): Promise<Step> {
  // Before the lines: an erasure takes its player's lines, and nothing is written by a line that was read before one.
  const environment = await loadEnvironment(database.sql, due.environmentId);
  const isFull = due.kind === "events" && environment !== null && (await countWaiting(database.sql, environment.id)) > MOST_WAITING;
  if (environment === null || isFull) {
    await giveBack(database.sql, due, environment === null ? 60 : 0);
    return "waiting";
  }
  const lines = await waitingLines(database.sql, due.id, sliceOf(due));
  const now = await environmentNow(database.sql, environment);
  const refused = await applyLines({ database, environment, now, due }, lines);
  await transact(database, async (tx) => {
    const isLast = lines.length < sliceOf(due);
    const isKept = await saveApplied(tx, due, { applied: lines.length - refused.length, refused: refused.length, isLast });
    const numbers = lines.map(({ line }) => line);
    if (isKept) await settleLines(tx, due.id, numbers, refused);
  });
  return "done";
}

async function applyLines(applying: Applying, lines: readonly WaitingLine[]): Promise<Refusal[]> {
  if (lines.length === 0) return [];
  if (applying.due.isUnattended && applying.due.kind === "events") return applyAsOf(applying, lines);
  // Before their events, so that history moves their missions; after everything else, so that it decides which are open to them.
  if (applying.due.kind === "events") await enter(applying, lines);
  const refused = await LINES[applying.due.kind](applying, lines);
  if (applying.due.kind !== "events") {
    const gone = new Set(refused.map(({ line }) => line));
    await enter(
      applying,
      lines.filter(({ line }) => !gone.has(line)),
    );
  }
  return refused;
}

/** How much of history goes at once: all of it is received when the last of it happened. */
const SPAN_MS = 3 * 60 * 60_000;

/**
 * Applies events, which are in the order of time, as if they came in as they happened. Each of their players looks at their missions before
 * the first of them: once in a slice, since looking takes longer than all of their events.
 */
async function applyAsOf(applying: Applying, lines: readonly WaitingLine[]): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  const entered = new Set<string>();
  const instantOf = ({ item }: WaitingLine): number => Math.min(Date.parse(String(item["occurredAt"])), applying.now);
  for (let first = 0, next = 0; first < lines.length; first = next) {
    const startsAt = instantOf(lines[first]!);
    while (next < lines.length && instantOf(lines[next]!) < startsAt + SPAN_MS) next++;
    const some = lines.slice(first, next);
    await enter(
      { ...applying, now: startsAt },
      some.filter(({ externalId }) => !entered.has(externalId)),
    );
    for (const { externalId } of some) entered.add(externalId);
    refused.push(...(await LINES.events({ ...applying, now: instantOf(some.at(-1)!) }, some)));
  }
  return refused;
}

const enter = ({ database, environment, now, due }: Applying, lines: readonly WaitingLine[]): Promise<void> =>
  enterPlayers(database, environment, now, due, [...new Set(lines.map(({ externalId }) => externalId))]);

/** `firstSeenAt` (epoch milliseconds) holds for a player who is new. */
interface PlayerItem {
  displayName?: string | null;
  timeZoneId?: string | null;
  firstSeenAt?: number | null;
}

const LINES: Record<DueImport["kind"], (applying: Applying, lines: readonly WaitingLine[]) => Promise<Refusal[]>> = {
  players: oneByOne(({ database, environment, now }, { externalId, item }) => {
    const { displayName, timeZoneId: timeZone, firstSeenAt } = item as PlayerItem;
    return savePlayerAsRead(database, environment, firstSeenAt ?? now, externalId, { displayName, timeZone });
  }),

  attributes: oneByOne(({ database, environment, due }, { externalId, item }) =>
    writeAttributes(database, environment, { playerId: externalId, attributes: item.attributes }, [], {
      isQuiet: !due.notifies,
      isAsRead: true,
    }),
  ),

  points: oneByOne(({ database, environment, now, due }, { externalId, item }) => {
    const { points: amount, idempotencyKey } = item as { points: number; idempotencyKey: string };
    return adjustPoints(database, environment, now, { externalId, amount, reason: due.reason ?? "Import", idempotencyKey });
  }),

  async events({ database, environment, now, due }, lines) {
    const items = lines.map(({ item }) => item);
    const results = await ingest(database, environment, { items, mayHoldBadText: false, now, isQuiet: !due.notifies, isAsRead: true });
    return results.flatMap(({ index, accepted, errors }) =>
      accepted ? [] : [{ line: lines[index]!.line, problems: errors.map(({ message }) => message) }],
    );
  },
};

/** In the order of the file: of two lines about one player the later one counts. A refused line keeps none of the others. */
function oneByOne(apply: (applying: Applying, line: WaitingLine) => Promise<unknown>) {
  return async (applying: Applying, lines: readonly WaitingLine[]): Promise<Refusal[]> => {
    const refused: Refusal[] = [];
    for (const line of lines) {
      try {
        await apply(applying, line);
      } catch (error) {
        // The database is out of reach, or others are in the way: the slice is tried again.
        if (!(error instanceof Problem) || PASSING.has(error.code)) throw error;
        refused.push({ line: line.line, problems: error.entries.map(({ message }) => message) });
      }
    }
    return refused;
  };
}

const PASSING = new Set<string>(["service.unavailable", "points.concurrent_update", "event_batch.concurrent_update"]);

export const isPassing = (error: unknown): boolean => error instanceof Problem && PASSING.has(error.code);
