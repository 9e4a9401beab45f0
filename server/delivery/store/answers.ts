import type { Sql } from "#db/client.ts";
import type { AnswerHead } from "../../model/webhooks/answer.ts";

/** The columns of an answer among those of an attempt that is recorded (`../store.ts`). */
export const ANSWER_COLUMNS = `"answerHeaders" json, "answerBody" text, "answerIsCut" boolean`;

/** What `ANSWER_COLUMNS` reads; null without an answer. */
export const answerFields = (answer: AnswerHead | null) =>
  answer === null
    ? { answerBody: null }
    : { answerHeaders: answer.headers, answerBody: Buffer.from(answer.body).toString("base64"), answerIsCut: answer.isCut };

/** Keeps the answers of the attempts `r` that were `saved`: a part of the statement that records them, so that it is one round trip. */
export const KEEP_ANSWERS = `
  insert into webhook_answers (delivery_id, number, started_at, headers, body, is_cut)
  select r."deliveryId", r.number, to_timestamp(r."startedAt" / 1000), r."answerHeaders", decode(r."answerBody", 'base64'), r."answerIsCut"
  from r join saved on saved.id = r."deliveryId" where r."answerBody" is not null
  on conflict do nothing`;

/** The kept beginning of an answer; null where none is kept (any more). */
export async function selectAnswer(sql: Sql, deliveryId: string, number: number): Promise<AnswerHead | null> {
  const [row] = await sql<{ headers: Record<string, string>; body: string; isCut: boolean }[]>`
    select headers, encode(body, 'base64') as body, is_cut as "isCut" from webhook_answers
    where delivery_id = ${deliveryId} and number = ${number}`;
  return row === undefined ? null : { ...row, body: Buffer.from(row.body, "base64") };
}

/** Deletes answers older than `keptMs`, `limit` at most; how many. */
export async function deleteOldAnswers(sql: Sql, keptMs: number, limit: number): Promise<number> {
  const { count } = await sql`
    delete from webhook_answers where ctid = any(array(
      select ctid from webhook_answers where started_at < now() - ${keptMs}::float8 * interval '1 ms'
      order by started_at limit ${limit} for update skip locked
    ))`;
  return count;
}
