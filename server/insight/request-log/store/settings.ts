import { anySpellingOf, plainPartOf } from "#server/model/players/spelling.ts";
import { affectsRow, execute, firstValue, type Sql, type Transaction } from "#db/client.ts";

/** Whether an environment's log keeps bodies. */
export const selectKeepsBodies = async (sql: Sql, environmentId: number) =>
  (await firstValue(sql<{ keeps: boolean }[]>`
    select coalesce(keeps_bodies, kind = 'sandbox') as keeps from environments where id = ${environmentId}`)) === true;

/** Sets whether an environment's log keeps bodies; returns whether that changed. */
export const updateKeepsBodies = (tx: Transaction, environmentId: number, keeps: boolean) =>
  affectsRow(tx`
    update environments set keeps_bodies = ${keeps}
    where id = ${environmentId} and coalesce(keeps_bodies, kind = 'sandbox') is distinct from ${keeps}::boolean`);

/** Deletes every stored body. */
export async function deleteBodies(tx: Transaction, environmentId: number): Promise<void> {
  await tx`
    update request_log set body = null, target = null
    where environment_id = ${environmentId} and (body is not null or target is not null)`;
  await tx`update event_tail set payload = null where environment_id = ${environmentId} and payload is not null`;
}

export const deleteBodiesOf = (sql: Sql, environmentId: number, requestIds: readonly string[]) =>
  execute(sql`
    update request_log set body = null, target = null
    where environment_id = ${environmentId} and id = any(${requestIds as string[]}::uuid[])`);

/**
 * Deletes the bodies and problems of requests that name a player, from an id on: as a JSON string in the body, as part of the path or the
 * query, or in a message, which quotes a key or a path.
 */
export async function deleteBodiesNaming(sql: Sql, environmentId: number, externalId: string, from: string): Promise<void> {
  const [plain, any] = [plainPartOf(externalId), anySpellingOf(externalId)];
  await sql`
    update request_log set body = null, target = null, problem = null
    where environment_id = ${environmentId} and id >= ${from}::uuid and (
      strpos(body, ${plain}) > 0 and body ~ ${`"${any}"`}
      or strpos(target, ${plain}) > 0 and target ~ ${`[/?&=]${any}($|[/?&=])`}
      or strpos(problem, ${plain}) > 0 and problem ~ ${String.raw`[/\\"]${any}([/\\"]|[.]")`})`;
}
