import { setTimeout as delay } from "node:timers/promises";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { type HeldValue, holdersAfter, loadHeldValues } from "../../attributes/service.ts";
import type { Definitions, Leaderboard } from "#server/model/definitions/compiled.ts";
import { type LockedEnvironment, openLocked, wholePlayer } from "#server/engine/apply.ts";
import { scoreRows } from "#server/engine/effects.ts";
import { completedMissions, loadAudienceInputs, lockPlayers, type PlayerRow } from "#server/engine/store/players.ts";
import type { Player } from "#server/model/kernel/player.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { resolveInputsOfPlayers } from "#server/engine/inputs.ts";
import { heldScores } from "#server/model/leaderboards/advance.ts";
import { inputsOfBoards } from "#server/model/leaderboards/lookups.ts";
import { dueFills, saveFill, takeFill } from "../store/fills.ts";
import { saveScores } from "#server/engine/store/scores.ts";

/** Players in one transaction: some tens of milliseconds, during which their facts wait. */
const PAGE = 1_000;

/**
 * Fills a board over an attribute with the values that players hold, at most `most` pages. Each page is a transaction that stores its
 * cursor. Writers of a player's value run before or after the player's page, never at the same time. Returns the number of pages; 0 if
 * nothing is left to fill or another process fills the board.
 */
export async function fillBoard(
  database: Database,
  environmentId: number,
  leaderboardId: number,
  most: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let pages = 0;
  while (pages < most && !isStopping() && (await transact(database, (tx) => fillNext(tx, environmentId, leaderboardId)))) pages++;
  return pages;
}

/** Fills the next page; false if there is none, or another process fills the board. */
async function fillNext(tx: Transaction, environmentId: number, leaderboardId: number): Promise<boolean> {
  const locked = await openLocked(tx, environmentId);
  const fill = await takeFill(tx, leaderboardId);
  const board = locked.definitions.leaderboardsById.get(leaderboardId);
  if (fill === null || board === undefined || board.definitionId === null) return false;
  const page = await holdersAfter(tx, environmentId, board.definitionId, fill.lastExternalId, PAGE);
  const holders = page.filter(({ holds }) => holds);
  if (holders.length > 0) await fillPage(tx, locked, board, fill.asOf, holders);
  const last = page.at(-1);
  await saveFill(tx, leaderboardId, page.length < PAGE || last === undefined ? null : last.externalId);
  return true;
}

async function fillPage(
  tx: Transaction,
  locked: LockedEnvironment,
  board: Leaderboard,
  asOf: number,
  holders: readonly PlayerKey[],
): Promise<void> {
  const { environment, definitions, now } = locked;
  const attributeIds = [board.definitionId, board.teamAttributeId].filter((id) => id !== null);
  // Pipelined: the second statement starts, with a snapshot of its own, when the first holds the locks.
  const [rows, held] = await Promise.all([lockPlayers(tx, holders), loadHeldValues(tx, holders, attributeIds)]);
  const players = await playersWith(tx, locked, board, rows, held);
  const changes = players.flatMap((player) => {
    const values = held.get(player.playerId) ?? [];
    const since = Math.max(...values.map(({ occurredAt }) => occurredAt));
    const seq = Math.max(...values.map((value) => value.seq));
    return scoreRows(player, heldScores(player, definitions, board, { since, seq, receivedAt: asOf, now }));
  });
  await saveScores(tx, definitions, environment.id, changes);
}

/** Players with their values for the board, and the inputs of its audience. */
async function playersWith(
  tx: Transaction,
  { environment, definitions, now }: LockedEnvironment,
  board: Leaderboard,
  rows: readonly PlayerRow[],
  held: ReadonlyMap<string, readonly HeldValue[]>,
): Promise<readonly Player[]> {
  const players = rows.map((row) => {
    const attributes = new Map(
      (held.get(row.playerId) ?? []).map(({ attributeId, value, occurredAt }) => [attributeId, { value, occurredAt }]),
    );
    return wholePlayer(environment.id, { row, partitions: [], attributes, balance: 0 });
  });
  return withAudienceInputs(tx, definitions, now, board, players);
}

/** Players with what the board's audience reads of them. */
export async function withAudienceInputs(
  tx: Transaction,
  definitions: Definitions,
  now: number,
  board: Leaderboard,
  players: readonly Player[],
): Promise<readonly Player[]> {
  if (board.audience.rule === null) return players;
  const parts = new Map((await loadAudienceInputs(tx, players)).map((part) => [part.playerId, part]));
  const inputs = await resolveInputsOfPlayers(tx, definitions, now, players, inputsOfBoards([board]));
  return players.flatMap((player) => {
    const part = parts.get(player.playerId);
    if (part === undefined) return [];
    const { attributes, balance } = part;
    return [
      {
        ...player,
        attributes,
        balance,
        completedMissions: completedMissions(part),
        inputs: inputs.get(player.playerId) ?? player.inputs,
      },
    ];
  });
}

const PAUSE_MS = 20;

/** Waits until the boards of an environment are filled, filling those that no other process works on. */
export async function drainFills(database: Database, environmentId: number): Promise<void> {
  for (let due = await dueFills(database.sql, environmentId); due.length > 0; due = await dueFills(database.sql, environmentId)) {
    let pages = 0;
    for (const { leaderboardId } of due) pages += await fillBoard(database, environmentId, leaderboardId, Infinity);
    if (pages === 0) await delay(PAUSE_MS);
  }
}
