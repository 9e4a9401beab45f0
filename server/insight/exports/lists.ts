import { z } from "zod";
import type { Database } from "#db/client.ts";
import { auditFilter, changesOf } from "../../model/audit-log/entry.ts";
import { readAuditLog, readChanges } from "../../people/audit-log/read.ts";
import { Decimal } from "../../model/kernel/decimal.ts";
import type { Leaderboard } from "../../model/definitions/compiled.ts";
import type { Environment, Role } from "../../model/kernel/environment.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { ownedPages, type ExportPages, pagesOf } from "./pages.ts";
import * as store from "./store.ts";
import { definitionsOf } from "../../engine/definitions.ts";

export interface ExportList {
  columns: readonly string[];
  /** The lowest role. Whole lists of personal data need the same role as one player's export. */
  role: Role;
  scope: "environment" | "project";
  /** The parameters of the query that its audit log entry repeats. None may name a player: an erasure does not look for them there. */
  recorded?: readonly string[];
  /** The pages of the list. `query` is as received. Throws OperatorError. */
  open(database: Database, environment: Environment, query: Record<string, string>): Promise<ExportPages> | ExportPages;
}

const ofSupport = { role: "Support", scope: "environment" } as const;

/** A required query parameter. Throws OperatorError if it is missing. */
function named(query: Record<string, string>, name: string): string {
  const value = query[name];
  if (value === undefined || value === "") throw new OperatorError(`Say which one: the query needs ${name}.`);
  return value;
}

/**
 * Lines of files, event properties and differences of definitions may have hundreds of thousands of characters each, so pages are short.
 */
const LONG_ROWS = { page: 100 };

export const LISTS: Record<string, ExportList> = {
  players: {
    ...ofSupport,
    columns: ["playerId", ...store.PROFILE_NAMES, "points", "lastActiveOn", "firstSeenAt"],
    open: ({ sql }, { id }) => pagesOf(sql, id, store.readPlayers),
  },
  transactions: {
    ...ofSupport,
    columns: ["playerId", "id", "type", "amount", "reason", "sourceType", "source", "sourceId", "occurredAt"],
    open: ({ sql }, { id }) => ownedPages(sql, id, store.readTransactions),
  },
  purchases: {
    ...ofSupport,
    columns: ["playerId", "id", "listing", "round", "price", "contents", "purchasedAt", "reversedAt", "reversalReason"],
    open: ({ sql }, { id }) => ownedPages(sql, id, store.exportPurchases),
  },
  events: {
    ...ofSupport,
    columns: ["playerId", "id", "event", "occurredAt", "receivedAt", "properties"],
    open: ({ sql }, { id }) => ownedPages(sql, id, store.readEvents, LONG_ROWS),
  },
  "metric-events": {
    ...ofSupport,
    columns: [
      ...["playerId", "id", "metric", "occurredAt", "receivedAt"],
      ...["value", "currencyCode", "exchangeRate", "normalizedValue", "properties"],
    ],
    open: ({ sql }, { id }) => ownedPages(sql, id, store.readMetricEvents, LONG_ROWS),
  },
  deliveries: {
    ...ofSupport,
    columns: ["id", "event", "playerId", "endpoint", "status", "attempts", "lastStatus", "lastError", "createdAt", "data"],
    open: openDeliveries,
  },
  "segment-members": {
    ...ofSupport,
    recorded: ["segment"],
    columns: ["playerId", "displayName", "points", "firstSeenAt"],
    open: ({ sql }, { id }, query) => pagesOf(sql, id, store.readSegmentMembers(named(query, "segment"))),
  },
  standings: {
    ...ofSupport,
    recorded: ["leaderboard", "start"],
    columns: ["rank", "playerId", "displayName", "team", "score", "tier", "group", "outcome"],
    open: openStandings,
  },
  "refused-lines": {
    ...ofSupport,
    recorded: ["import"],
    columns: ["line", "reasons", "playerId", "content"],
    open: ({ sql }, { id }, query) => pagesOf(sql, id, store.readRefusedLines(uuidOf(named(query, "import"))), LONG_ROWS.page),
  },
  "audit-log": {
    role: "Viewer",
    scope: "project",
    recorded: ["actor", "action", "subjectKind", "of", "from", "until"],
    columns: ["at", "actor", "token", "environment", "action", "subjectKind", "subjectKey", "changes", "id", "partOf"],
    open: openAuditLog,
  },
};

function uuidOf(text: string): string {
  if (!z.uuid().safeParse(text).success) throw new OperatorError("There is no such import.");
  return text;
}

async function* openDeliveries({ sql }: Database, { id }: Environment): ExportPages {
  for (const { endpointId, event } of await store.selectStreams(sql, id)) yield* pagesOf(sql, id, store.readDeliveries(endpointId, event));
}

const PAGE = 1_000;

async function openStandings(database: Database, environment: Environment, query: Record<string, string>): Promise<ExportPages> {
  const { sql } = database;
  const key = named(query, "leaderboard");
  const board = (await definitionsOf(sql, environment)).leaderboards.find((one) => one.key === key);
  if (board === undefined) throw new OperatorError("There is no such leaderboard.");
  const periodId = await store.findPeriod(sql, board.id, query.start ?? null);
  return periodId === null ? nothing() : standingPages(database, periodId, board);
}

async function* nothing(): ExportPages {}

/** Equal scores share a rank; the next rank counts all scores before it. Groups of a league count from 1, as on the screen. */
async function* standingPages({ sql }: Database, periodId: number, { rankOrder, league }: Leaderboard): ExportPages {
  const isHighestFirst = rankOrder === "HighestFirst";
  let last: store.ExportedStanding | null = null;
  let [position, rank] = [0, 0];
  for (;;) {
    const rows: store.ExportedStanding[] = await store.readScores(sql, periodId, last, PAGE);
    const page: string[] = [];
    for (const row of rows) {
      position += 1;
      if (last === null || row.sortScore !== last.sortScore) rank = position;
      last = row;
      const { externalId, displayName, teamKey, groupNumber, outcome } = row;
      const tier = row.tier === null ? null : (league?.tiers[row.tier]?.key ?? null);
      const group = groupNumber === null ? null : groupNumber + 1;
      const score = Decimal.parse(isHighestFirst ? negated(row.sortScore) : row.sortScore);
      page.push(writeJson({ rank, playerId: externalId, displayName, team: teamKey, score, tier, group, outcome }));
    }
    yield page;
    if (rows.length < PAGE) return;
  }
}

const negated = (text: string): string => (text === "0" ? text : text.startsWith("-") ? text.slice(1) : `-${text}`);

const auditQuery = auditFilter.omit({ partOf: true, parts: true }).partial();

async function* openAuditLog(database: Database, { projectId }: Environment, query: Record<string, string>): ExportPages {
  const parsed = auditQuery.safeParse({ ...query, environment: query.of ?? null });
  if (!parsed.success) throw new OperatorError("Not a valid filter of the audit log.");
  const { actor = null, action = null, subjectKind = null, subjectKey = null, environment = null, from, until } = parsed.data;
  const instants = { from: parseInstant(from ?? ""), until: parseInstant(until ?? "") };
  const filter = { actor, action, subjectKind, subjectKey, environment, ...instants, partOf: null, parts: "listed" as const };
  for (let before: number | null = null; ;) {
    const { entries, next }: Awaited<ReturnType<typeof readAuditLog>> = await readAuditLog(
      database,
      projectId,
      filter,
      before,
      LONG_ROWS.page,
    );
    let page: string[] = [];
    for (const { difference, isLong, partOf, id, at, ...entry } of entries) {
      // Long changes are read one at a time: a page of them could exhaust memory.
      const changes = isLong ? (await readChanges(database, projectId, id, Number.MAX_SAFE_INTEGER))?.changes : changesOf(difference);
      const line = writeJson({
        at: formatInstant(at),
        actor: entry.actor,
        token: entry.token,
        environment: entry.environment,
        action: entry.action,
        subjectKind: entry.subjectKind,
        subjectKey: entry.subjectKey,
        changes: changes ?? [],
        id: String(id),
        partOf: partOf === null ? null : String(partOf),
      });
      page.push(line);
      if (!isLong) continue;
      yield page;
      page = [];
    }
    yield page;
    if (next === null) return;
    before = next;
  }
}
