import microdiff from "microdiff";
import { entryIn } from "../../model/audit-log/entry.ts";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { PERIODS_OF_ENVIRONMENT, tablesWhere } from "#db/tables.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { lockExclusive, lockPlayersExclusive } from "../../engine/store/locks.ts";
import { type Environment, type Actor, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { keepPeriods } from "../../game/leaderboards/service/schedule.ts";
import { countReset } from "../../people/projects/environments.ts";
import { forgetBudgets } from "../../insight/alerts/budget-store.ts";
import { forgetPurge } from "../retention/service/settings.ts";
import { forgetCounts } from "../../game/segments/service/read.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

/** Players deleted per statement. */
const PAGE = 1_000;

/**
 * Empties a Sandbox: players, events and everything derived from them are deleted; definitions, keys, endpoints and the clock stay. Returns
 * the number of players. One transaction, about a minute for a million players: interrupted, it has done nothing. It excludes other writers
 * for the environment's players, and invalidates what processes have cached of them (`hold_players` and `hold_known_players` in
 * db/functions/locks.sql). Throws OperatorError for Live.
 */
export function resetSandbox(database: Database, environment: Environment, actor: Actor = COMMAND_LINE): Promise<number> {
  if (environment.kind !== "sandbox") throw new OperatorError("Only a Sandbox can be reset; what is in Live stays.");
  return transact(database, async (tx) => {
    await lockPlayersExclusive(tx, environment.id);
    const players = await emptyPlayers(tx, environment.id);
    await lockExclusive(tx, environment.id);
    await emptyPeriods(tx, environment.id);
    for (const table of tablesWhere({ by: "environment", reset: "emptied" }))
      await tx`delete from ${tx(table)} where environment_id = ${environment.id}`;
    await beginPeriods(tx, environment);
    await forgetCounts(tx, environment.id);
    await forgetPurge(tx, environment.id);
    await forgetBudgets(tx, environment.id);
    // Last, to keep these locks short: imports wait for the environment's row, the recorder of attempts for deliveries' rows.
    await countReset(tx, environment.id);
    await emptyOutbox(tx, environment.id);
    const subject = { subjectKind: "environment", subjectKey: environment.kind };
    await recordChange(tx, entryIn(environment, actor, { action: "reset", ...subject, difference: microdiff({ players }, {}) }));
    return players;
  });
}

async function emptyPeriods(tx: Transaction, environmentId: number): Promise<void> {
  for (const table of tablesWhere({ by: "period" }))
    await tx.unsafe(`delete from ${table} where period_id in (${PERIODS_OF_ENVIRONMENT})`, [environmentId]);
  for (const table of tablesWhere({ by: "environment", reset: "anew" }))
    await tx`delete from ${tx(table)} where environment_id = ${environmentId}`;
}

async function beginPeriods(tx: Transaction, environment: Environment): Promise<void> {
  const current = (await loadEnvironment(tx, environment.id)) ?? environment;
  const [now, definitions] = await Promise.all([environmentNow(tx, current), definitionsOf(tx, current)]);
  await keepPeriods(tx, environment.id, definitions, now);
}

/** Deletes a page of players at a time, with all rows keyed by them, without fetching them. */
async function emptyPlayers(tx: Transaction, environmentId: number): Promise<number> {
  const emptied = tablesWhere({ by: "player", reset: "emptied" }).map(
    (table) => `${table}_gone as (delete from ${table} t using page where t.part = page.part and t.player_id = page.player_id)`,
  );
  const text = `
    with next as materialized (
      select part, player_id from players where environment_id = $1 and external_id > $2 order by external_id limit ${PAGE}
    ), page as (
      delete from players p using next where p.part = next.part and p.player_id = next.player_id
      returning p.part, p.player_id, p.external_id
    ), ${emptied.join(", ")}
    select count(*) as count, max(external_id) as last from page`;
  // Rows of erased players are keyed by an anonymous owner, so no page of players finds them.
  const left = `with page as (delete from anonymous_owners where environment_id = $1 returning part, player_id), ${emptied.join(", ")} select`;
  await tx.unsafe(left, [environmentId]);
  let total = 0;
  // Continues from the last one: each page from the start would step over all index entries of deleted pages.
  for (let last: string | null = ""; last !== null;) {
    const [page]: { count: number; last: string | null }[] = await tx.unsafe(text, [environmentId, last]);
    total += page?.count ?? 0;
    last = page?.last ?? null;
  }
  return total;
}

/** Deliveries are locked first: an attempt is recorded with its delivery locked, and a waiting record then finds it gone. */
async function emptyOutbox(tx: Transaction, environmentId: number): Promise<void> {
  await tx<{ count: number }[]>`
    with locked as materialized (select from webhook_deliveries where environment_id = ${environmentId} for update)
    select count(*) from locked`;
  await tx`
    with gone as (delete from webhook_deliveries where environment_id = ${environmentId} returning id),
    answers as (delete from webhook_answers a using gone where a.delivery_id = gone.id)
    delete from webhook_attempts a using gone where a.delivery_id = gone.id`;
  // Last: an attempt could be recorded, and counted, until the deliveries were locked.
  await tx`delete from analytics_webhooks where environment_id = ${environmentId}`;
}
