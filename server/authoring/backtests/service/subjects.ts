import { type Transaction, isTimeout } from "#db/client.ts";
import { wholePlayer } from "#server/engine/apply.ts";
import { resolveInputsOfPlayers } from "#server/engine/inputs.ts";
import { loadAudienceInputs } from "#server/engine/store/players.ts";
import { inTurns } from "#server/engine/turns.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import type { EventFact } from "#server/model/kernel/facts.ts";
import type { Steps } from "#server/model/kernel/steps.ts";
import type { ConditionInput } from "#server/model/rules/condition.ts";
import { positionOf, type Subject } from "../play.ts";
import { selectEvents, selectIdentities, selectLedger, selectMetricEvents, selectPurchases } from "../store/history.ts";
import type { SampledPlayer } from "./sample.ts";

/** The most facts of a page of players. A single player with more, or with larger ones, is left out. */
const MAX_FACTS = 40_000;

/** An event received this long after it happened is taken for an import, and played at the time it happened. */
const LATE_MS = 24 * 60 * 60_000;

/** The data to read of a page of players. */
export interface Reading {
  environmentId: number;
  definitions: Definitions;
  from: number;
  to: number;
  reads: readonly number[];
  asks: readonly number[];
  asOfToday: readonly ConditionInput[];
  readsLedger: boolean;
  /** The listing whose purchases are read; null: none. */
  readsPurchasesOf: number | null;
}

export interface Read {
  subjects: (Subject & { stratum: number })[];
  /** Facts in the window, and how many of them were imported. */
  facts: number;
  late: number;
}

/** Players with their facts; null if there are too many to read together. */
export async function readSubjects(tx: Transaction, page: readonly SampledPlayer[], reading: Reading): Promise<Read | null> {
  try {
    // In a savepoint, so that a statement timeout does not end the whole transaction.
    return await tx.savepoint((inner) => load(inner, page, reading));
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
}

async function load(tx: Transaction, page: readonly SampledPlayer[], reading: Reading): Promise<Read | null> {
  const { environmentId, definitions, to, asOfToday, reads, readsPurchasesOf } = reading;
  const wanted = { definitionIds: reads, since: reading.from, whole: reading.asks, limit: MAX_FACTS + 1 };
  const [identities, parts, events, metricEvents, ledger, purchases] = await Promise.all([
    selectIdentities(tx, page),
    loadAudienceInputs(tx, page),
    reads.length === 0 ? [] : selectEvents(tx, page, wanted),
    reads.length === 0 ? [] : selectMetricEvents(tx, page, wanted),
    reading.readsLedger ? selectLedger(tx, page, wanted) : [],
    readsPurchasesOf === null ? [] : selectPurchases(tx, page, readsPurchasesOf, wanted.limit),
  ]);
  if ([events, metricEvents, ledger, purchases].reduce((sum, { length }) => sum + length, 0) > MAX_FACTS) return null;
  if ([events, metricEvents].some((log) => log.at(-1)?.isFull)) return null;
  const stratumOf = new Map(page.map(({ playerId, stratum }) => [playerId, stratum]));
  const partsOf = new Map(parts.map((one) => [one.playerId, one]));
  const players = identities.flatMap((one) => {
    const known = partsOf.get(one.playerId);
    if (known === undefined) return [];
    const { attributes, balance, completed } = known;
    return [wholePlayer(environmentId, { row: { ...one, completed }, partitions: [], attributes, balance })];
  });
  const inputs = asOfToday.length === 0 ? null : await resolveInputsOfPlayers(tx, definitions, to, players, asOfToday);
  const factsOf = await inTurns(factsByPlayer(events, metricEvents));
  const ledgerOf = Map.groupBy(ledger, ({ playerId }) => playerId);
  const purchasesOf = Map.groupBy(purchases, ({ playerId }) => playerId);
  return inTurns(subjects());

  function* subjects(): Steps<Read> {
    const read: Read = { subjects: [], facts: 0, late: 0 };
    for (const player of players) {
      const { before, facts, late } = inWindow(factsOf.get(player.playerId) ?? [], reading);
      const own = inputs?.get(player.playerId);
      read.subjects.push({
        player: own === undefined ? player : { ...player, inputs: own },
        before,
        facts,
        ledger: ledgerOf.get(player.playerId) ?? [],
        purchases: purchasesOf.get(player.playerId) ?? [],
        stratum: stratumOf.get(player.playerId)!,
      });
      read.facts += facts.length;
      read.late += late;
      yield;
    }
    return read;
  }
}

type Logged = Omit<EventFact, "kind">;

function* factsByPlayer(
  events: readonly (Omit<Logged, "value"> & { playerId: string })[],
  metricEvents: readonly (Logged & { playerId: string })[],
): Steps<Map<string, Logged[]>> {
  const byPlayer = new Map<string, Logged[]>();
  const add = (playerId: string, fact: Logged) => {
    const own = byPlayer.get(playerId);
    if (own === undefined) byPlayer.set(playerId, [fact]);
    else own.push(fact);
  };
  for (const [at, { playerId, ...event }] of events.entries()) {
    add(playerId, { ...event, value: null });
    if (at % 100 === 0) yield;
  }
  for (const { playerId, ...event } of metricEvents) {
    add(playerId, event);
    yield;
  }
  return byPlayer;
}

/** The facts of the window in playing order, with positions, and the earlier ones. */
function inWindow(logged: readonly Logged[], { from, to }: Reading): Pick<Subject, "before" | "facts"> & { late: number } {
  const isLate = ({ receivedAt, occurredAt }: Logged) => receivedAt - occurredAt > LATE_MS;
  const hasLate = logged.some(isLate);
  const at = (fact: Logged) => (isLate(fact) ? fact.occurredAt : fact.receivedAt);
  const ordered = logged.toSorted((a, b) => (hasLate ? at(a) - at(b) : 0) || a.seq - b.seq);
  const before: EventFact[] = [];
  const facts: EventFact[] = [];
  let late = 0;
  for (const fact of ordered) {
    const receivedAt = at(fact);
    if (receivedAt > to) continue;
    const list = receivedAt < from ? before : facts;
    if (list === facts && isLate(fact)) late++;
    const { id, definitionId, occurredAt, properties, value } = fact;
    list.push({ kind: "event", id, seq: positionOf(list.length), definitionId, occurredAt, receivedAt, properties, value });
  }
  return { before, facts, late };
}
