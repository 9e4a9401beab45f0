import type { z } from "zod";
import { type Database, transact } from "#db/client.ts";
import { writeAttributes } from "#server/game/attributes/service.ts";
import { mustBeAsRead, openLocked } from "#server/engine/apply.ts";
import { countWaiting } from "#server/engine/store/queue.ts";
import { ingest } from "#server/game/events/service.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { Problem } from "#server/model/kernel/problem.ts";
import { adjustPointsIn } from "#server/game/points/service.ts";
import { type DueImport, releaseLease, saveApplied } from "../store/imports.ts";
import { erasedOf, settleLines, type WaitingLine, waitingLines } from "../store/lines.ts";
import type { sentProfile } from "#server/game/players/contract.ts";
import { playersAmong, savePlayerAsRead } from "#server/game/players/service/players.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";
import { enterAll } from "#server/game/missions/service/read.ts";
import { judge } from "#server/game/segments/service/judge.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { playerKey } from "#server/model/players/identity.ts";

/** Lines per slice. Events are received together, like one request; every other line has its own transaction. */
const SLICE = { players: 200, attributes: 100, events: 500, points: 200 } as const;
/** Events of an unattended import: more, as each of their players reads their missions once per slice. */
const UNATTENDED_SLICE = 1_000;

const sliceOf = ({ kind, isUnattended }: DueImport): number => (isUnattended && kind === "events" ? UNATTENDED_SLICE : SLICE[kind]);

/** Above this many waiting facts no more are added: live facts wait behind at most this many of an import. */
const MAX_WAITING = 1_000;

/** A step's result: `waiting` if the queue of facts is too long to add to. */
export type ApplyResult = "done" | "waiting";

/** Lines refused although the check found nothing: definitions or balances have changed since. */
interface Refusal {
  line: number;
  problems: string[];
}

interface Applying {
  database: Database;
  environment: Environment;
  /** The time on the environment's clock, epoch milliseconds. */
  now: number;
  due: DueImport;
}

/**
 * Applies an import's next lines. Each goes through the same verb as a request, under a key derived from its content: if a worker dies
 * before recording a slice, applying it again changes nothing.
 */
export async function applySlice(database: Database, due: DueImport): Promise<ApplyResult> {
  // Loaded before the lines: an erasure after that changes its count of resets, so that no line of this slice is written.
  const environment = await loadEnvironment(database.sql, due.environmentId);
  const isFull =
    due.kind === "events" &&
    environment !== null &&
    (await countWaiting(database.sql, environment.id, { most: MAX_WAITING + 1 })) > MAX_WAITING;
  if (environment === null || isFull) {
    await releaseLease(database.sql, due, environment === null ? 60 : 0);
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
  // Players enter missions before their events, so that history advances these; other lines decide on eligibility, so entries come after
  // them.
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

/** How much history is applied together: all of it counts as received when its last event happened. */
const SPAN_MS = 3 * 60 * 60_000;

/**
 * Applies events, ordered by time, as if received as they happened. Each of their players reads their missions before their first event:
 * once per slice, as reading takes longer than all of their events.
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

/** `firstSeenAt` (epoch milliseconds) applies to new players. */
type PlayerItem = Partial<z.output<typeof sentProfile>> & { firstSeenAt?: number | null };

const LINES: Record<DueImport["kind"], (applying: Applying, lines: readonly WaitingLine[]) => Promise<Refusal[]>> = {
  players: oneByOne(async ({ database, environment, now }, { externalId, item }) => {
    const { timeZoneId: timeZone, firstSeenAt, ...sent } = item as PlayerItem;
    // A player of this id who was erased after that instant is another one, and repeating that erasure must not find this one.
    const isReused = firstSeenAt != null && (await erasedOf(database.sql, [playerKey(environment.id, externalId)], firstSeenAt)).size > 0;
    await savePlayerAsRead(database, environment, isReused ? now : (firstSeenAt ?? now), externalId, { ...sent, timeZone });
  }),

  attributes: oneByOne(({ database, environment, due }, { externalId, item }) =>
    writeAttributes(database, environment, { playerId: externalId, attributes: item.attributes }, [], {
      isQuiet: !due.notifies,
      isAsRead: true,
    }),
  ),

  points: oneByOne(({ database, environment, now, due }, { externalId, item }) => {
    const { points: amount, idempotencyKey } = item as { points: number; idempotencyKey: string };
    return transact(database, async (tx) => {
      mustBeAsRead(await openLocked(tx, environment.id), environment);
      return adjustPointsIn(tx, environment, now, { externalId, amount, reason: due.reason ?? "Import", idempotencyKey });
    });
  }),

  async events({ database, environment, now, due }, lines) {
    const items = lines.map(({ item }) => item);
    const results = await ingest(database, environment, { items, mayHoldBadText: false, now, isQuiet: !due.notifies, isAsRead: true });
    return results.flatMap(({ index, accepted, errors }) =>
      accepted ? [] : [{ line: lines[index]!.line, problems: errors.map(({ message }) => message) }],
    );
  },
};

/** In file order: of two lines about one player the later one wins. A refused line does not stop the others. */
function oneByOne(apply: (applying: Applying, line: WaitingLine) => Promise<unknown>) {
  return async (applying: Applying, lines: readonly WaitingLine[]): Promise<Refusal[]> => {
    const refused: Refusal[] = [];
    for (const line of lines) {
      try {
        await apply(applying, line);
      } catch (error) {
        // The database is unreachable, or locks are held: the slice is retried.
        if (!(error instanceof Problem) || PASSING.has(error.code)) throw error;
        refused.push({ line: line.line, problems: error.entries.map(({ message }) => message) });
      }
    }
    return refused;
  };
}

const PASSING = new Set<string>(["service.unavailable", "points.concurrent_update", "event_batch.concurrent_update"]);

export const isPassing = (error: unknown): boolean => error instanceof Problem && PASSING.has(error.code);

/**
 * Enters players into the missions open to them, as the import says: none, those in a segment now, or all. Players already in a mission are
 * not changed.
 */
async function enterPlayers(
  database: Database,
  environment: Environment,
  now: number,
  { enters, segmentKey, notifies, isUnattended }: Pick<DueImport, "enters" | "segmentKey" | "notifies" | "isUnattended">,
  externalIds: readonly string[],
): Promise<void> {
  if (enters === "Nobody") return;
  for (const externalId of externalIds) await savePlayerAsRead(database, environment, now, externalId, {});
  const entering = enters === "Everybody" ? externalIds : await inSegment(database, environment, now, segmentKey, externalIds);
  const how = { isQuiet: !notifies, isAsRead: true, ...(isUnattended && { at: now }) };
  for (const externalId of entering) await enterAll(database, environment, now, externalId, how);
}

/** A segment that is deleted or switched off has no members. */
async function inSegment(
  database: Database,
  environment: Environment,
  now: number,
  segmentKey: string | null,
  externalIds: readonly string[],
): Promise<string[]> {
  const definitions = await definitionsOf(database.sql, environment);
  const segment = definitions.segments.find(({ key, active }) => key === segmentKey && active);
  if (segment === undefined) return [];
  const players = await playersAmong(
    database.sql,
    externalIds.map((externalId) => playerKey(environment.id, externalId)),
  );
  const members = await transact(database, (tx) => judge(tx, environment.id, definitions, now, players, segment.rule));
  return players.filter(({ playerId }) => members.has(playerId)).map(({ externalId }) => externalId);
}
