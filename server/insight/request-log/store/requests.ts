import { firstRow, onlyRow, type Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { LAST_UUID } from "#server/model/kernel/stored.ts";
import type { Omitted, RequestEntry } from "#server/model/request-log/entry.ts";

export type Logged = Pick<Environment, "id">;

/** Everything stored about a request. Instants are real time, epoch milliseconds. */
export interface KeptRequest extends Omit<RequestEntry, "environmentId" | "resets"> {
  /** The sent path, if no route matched and the environment keeps bodies. */
  path: string | null;
  /** Null if the key is gone. */
  keyName: string | null;
  keyHint: string | null;
}

export type ListedRequest = Omit<KeptRequest, "target" | "body" | "bodyLength" | "problem">;

export interface RequestFilter {
  keyId: string | null;
  route: string | null;
  method: string | null;
  /** Null: any. `refused` means 200 with refused items. */
  status: "success" | "refused" | "4xx" | "5xx" | null;
  code: string | null;
  /** Epoch milliseconds. */
  from: number | null;
  until: number | null;
}

/** Status classes, both ends included. */
const RANGES = { success: [100, 399], refused: [200, 299], "4xx": [400, 499], "5xx": [500, 599] } as const;

/** The columns of a listed request, for requests `r` with their keys `k`. */
const listed = (sql: Sql) => sql`
  r.id, r.at, r.method, r.route, case when r.route is null then left(split_part(r.target, '?', 1), 200) end as path, r.status, r.code,
  r.duration_ms, r.trace_id, r.key_id, k.name as key_name, k.hint as key_hint, r.accepted, r.refused`;

/** A page of the log below a request's id, the newest first. */
export function selectRequests(
  sql: Sql,
  { id }: Logged,
  { keyId, route, method, status, code, from, until }: RequestFilter,
  below: string | null,
  limit: number,
): Promise<ListedRequest[]> {
  const [least, most] = status === null ? [0, 999] : RANGES[status];
  return sql<ListedRequest[]>`
    select ${listed(sql)}
    from request_log r left join api_keys k on k.id = r.key_id
    where r.environment_id = ${id} and r.id < ${below ?? LAST_UUID}::uuid and r.status between ${least} and ${most}
      and (${status === "refused"}::boolean is false or r.refused > 0)
      and (${status === "success"}::boolean is false or coalesce(r.refused, 0) = 0)
      ${keyId === null ? sql`` : sql`and r.key_id = ${keyId}::uuid`}
      ${route === null ? sql`` : sql`and r.route = ${route}`}
      ${method === null ? sql`` : sql`and r.method = ${method}`}
      ${code === null ? sql`` : sql`and r.code = ${code}`}
      ${from === null ? sql`` : sql`and r.at >= ${from}`}
      ${until === null ? sql`` : sql`and r.at < ${until}`}
    order by r.id desc limit ${limit}::int`.execute();
}

/** One request; null if it is not kept, or in another environment. */
export const selectRequest = (sql: Sql, { id: environmentId }: Logged, id: string) =>
  firstRow(sql<KeptRequest[]>`
    select ${listed(sql)}, r.target, r.body, r.body_length, r.problem
    from request_log r left join api_keys k on k.id = r.key_id
    where r.environment_id = ${environmentId} and r.id = ${id}`);

export interface RouteOfLog {
  method: string;
  route: string;
}

/** The routes of the latest requests. */
export const selectRoutes = (sql: Sql, { id }: Logged): Promise<RouteOfLog[]> =>
  sql<RouteOfLog[]>`
    select distinct method, coalesce(route, '') as route from (
      select method, route from request_log where environment_id = ${id} order by id desc limit 10000
    ) latest where route is not null order by 2, 1`.execute();

/** A code, of refused requests or of refused items. */
export interface CountedCode {
  code: string;
  count: number;
  /** Epoch milliseconds, real time. */
  lastAt: number;
  /** The latest request with it, if still kept. */
  requestId: string;
}

/** Refused requests since an instant, by code. */
export const countRequestCodes = (sql: Sql, { id }: Logged, since: number): Promise<CountedCode[]> =>
  sql<CountedCode[]>`
    select coalesce(code, '') as code, count(*) as count, max(at) as last_at, (max(id::text))::uuid as request_id
    from request_log
    where environment_id = ${id} and code is not null and at >= ${since}
    group by code`.execute();

/** What the log omits since an instant; epoch milliseconds. */
export const sumOmissions = (sql: Sql, { id }: Logged, since: number) =>
  onlyRow(sql<Omitted[]>`
    select coalesce(sum(successes), 0)::bigint as successes, coalesce(sum(errors), 0)::bigint as errors,
      coalesce(sum(accepted_items), 0)::bigint as accepted_items, coalesce(sum(refused_items), 0)::bigint as refused_items
    from request_log_omissions
    where environment_id = ${id} and minute >= ${since}`);
