import type { Sql, Transaction } from "../../../db/client.ts";
import { writeJson } from "../../kernel/json.ts";
import type { AnswerHead } from "../answer.ts";

interface Answered {
  deliveryId: string;
  number: number;
  startedAt: number;
  answer: AnswerHead | null;
}

/** Keeps the beginnings of answers, in the transaction that has recorded their attempts. One whose attempt was not recorded is left out. */
export async function saveAnswers(tx: Transaction, attempts: readonly Answered[]): Promise<void> {
  const rows = attempts.flatMap(({ deliveryId, number, startedAt, answer }) =>
    answer === null
      ? []
      : [
          {
            deliveryId,
            number,
            startedAt,
            headers: answer.headers,
            body: Buffer.from(answer.body).toString("base64"),
            isCut: answer.isCut,
          },
        ],
  );
  if (rows.length === 0) return;
  await tx`
    insert into webhook_answers (delivery_id, number, started_at, headers, body, is_cut)
    select a.delivery_id, a.number, a.started_at, r.headers, decode(r.body, 'base64'), r."isCut"
    from json_to_recordset(${writeJson(rows)}::text::json)
      as r("deliveryId" uuid, "number" smallint, "startedAt" float8, "headers" json, "body" text, "isCut" boolean)
    join webhook_attempts a on a.delivery_id = r."deliveryId" and a.number = r.number
      and a.started_at = to_timestamp(r."startedAt" / 1000)::timestamptz(3)
    on conflict do nothing`;
}

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
