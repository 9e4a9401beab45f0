import type { Sql } from "#db/client.ts";
import { readAttributeValues } from "../../attributes/service.ts";
import { changesOfSubject } from "#server/people/audit-log/read.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { eventsBelow } from "../../events/service.ts";
import { FIRST_UUID, LAST_UUID } from "#server/model/kernel/stored.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { finishesBelow } from "../../leaderboards/service/periods-seen.ts";
import { givenItemsBelow, selectPurchasesBelow } from "../../marketplace/service/history.ts";
import { metricEventsBelow } from "../../metrics/service.ts";
import { completionsBelow } from "../../missions/service/read.ts";
import { transactionsBelow } from "../../points/service.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** The player that a timeline is of, and what its sources need. */
export interface TimelineScope {
  sql: Sql;
  environment: Environment;
  definitions: Definitions;
  key: PlayerKey;
  externalId: string;
}

/** A place in a source; `id` is null before the first and Infinity after the last of the instant. */
export interface SourceBelow {
  at: number;
  id: string | null | typeof Infinity;
}

const uuid = ({ at, id }: SourceBelow) => ({ at, id: id === null ? FIRST_UUID : typeof id === "string" ? id : LAST_UUID });
/** Positions and small ids. `most` is the largest one of the column's type. */
const number = ({ at, id }: SourceBelow, most: number) => ({ at, id: id === null ? -1 : typeof id === "string" ? Number(id) : most });

const MAX_INT = 2_147_483_647;

const staff = async ({ sql, environment, externalId }: TimelineScope, below: SourceBelow, limit: number) => {
  const rows = await changesOfSubject(sql, environment, "player", externalId, number(below, Number.MAX_SAFE_INTEGER), limit);
  return rows.map((row) => ({ type: "Staff" as const, at: row.at, id: String(row.id), row }));
};

const points = async ({ sql, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const rows = await transactionsBelow(sql, key, number(below, Number.MAX_SAFE_INTEGER), limit);
  return rows.map((row) => ({ type: "Points" as const, at: row.occurredAt, id: String(row.seq), row }));
};

const items = async ({ sql, environment, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const rows = await givenItemsBelow(sql, environment.id, key, uuid(below), limit);
  return rows.map((row) => ({ type: "Item" as const, at: row.owedAt, id: row.id, row }));
};

const completions = async ({ sql, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const { at, id } = uuid(below);
  const rows = await completionsBelow(sql, key, { completedAt: at, occurrenceId: id }, limit);
  return rows.map((row) => ({ type: "Completion" as const, at: row.completedAt, id: row.occurrenceId, row }));
};

const ranks = async ({ sql, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const rows = await finishesBelow(sql, key, number(below, MAX_INT), limit);
  return rows.map((row) => ({ type: "Rank" as const, at: row.settledAt, id: String(row.periodId), row }));
};

const purchases = async ({ sql, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const { at, id } = number(below, Number.MAX_SAFE_INTEGER);
  const rows = await selectPurchasesBelow(sql, key, { purchasedAt: at, seq: id }, limit);
  return rows.map((row) => ({ type: "Purchase" as const, at: row.purchasedAt, id: String(row.seq), row }));
};

/** Only the present values are kept: one for each attribute, so all are read. */
const attributes = async ({ sql, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const { at, id } = number(below, MAX_INT);
  const values = [...(await readAttributeValues(sql, key))].map(([attributeId, row]) => ({ attributeId, ...row }));
  return values
    .filter((row) => row.occurredAt < at || (row.occurredAt === at && row.attributeId < id))
    .sort((a, b) => b.occurredAt - a.occurredAt || b.attributeId - a.attributeId)
    .slice(0, limit)
    .map((row) => ({ type: "Attribute" as const, at: row.occurredAt, id: String(row.attributeId), row }));
};

const metrics = async ({ sql, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const rows = await metricEventsBelow(sql, key, number(below, Number.MAX_SAFE_INTEGER), limit);
  return rows.map((row) => ({ type: "Metric" as const, at: row.receivedAt, id: String(row.seq), row }));
};

const events = async ({ sql, key }: TimelineScope, below: SourceBelow, limit: number) => {
  const rows = await eventsBelow(sql, key, number(below, Number.MAX_SAFE_INTEGER), limit);
  return rows.map((row) => ({ type: "Event" as const, at: row.receivedAt, id: String(row.seq), row }));
};

/** In the order of a timeline within one instant: the newest first, so what follows from something stands before it. */
export const TIMELINE_SOURCES = {
  Staff: staff,
  Points: points,
  Item: items,
  Completion: completions,
  Rank: ranks,
  Purchase: purchases,
  Attribute: attributes,
  Metric: metrics,
  Event: events,
};

export type TimelineType = keyof typeof TIMELINE_SOURCES;
export const TIMELINE_TYPES = Object.keys(TIMELINE_SOURCES) as [TimelineType, ...TimelineType[]];

/** Something in a player's timeline, as its source has it. `at` is on the environment's clock, of `Staff` real time. */
export type TimelineRow = Awaited<ReturnType<(typeof TIMELINE_SOURCES)[TimelineType]>>[number];
