import type { Database, Sql } from "#db/client.ts";
import { inTurns } from "#server/engine/turns.ts";
import { nameIn } from "#server/model/definitions/change-requests.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Divergence } from "#server/model/definitions/divergence.ts";
import {
  differenceOf,
  type DraftItem,
  draftFingerprint,
  namedBy,
  presentIn,
  type RequestItem,
  subjectOfItem,
} from "#server/model/definitions/request-items.ts";
import { SETTINGS } from "#server/model/definitions/stored.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Steps } from "#server/model/kernel/steps.ts";
import { type RequestEvent, type RequestRow, selectRequest, selectRequestedKeys, selectRequestEvents } from "../store/requests.ts";
import { type ChangedSince, itemsOf, planRequest, type RequestPlan } from "./apply-request.ts";
import { edit } from "./edit.ts";

/** A definition that a request would change, or has changed. */
export interface ItemShown extends Divergence {
  isAnew: boolean;
  /** Who changed it in Live after the request read it; null if unchanged. */
  changedSince: ChangedSince | null;
}

/** The other side of a conflict: the definition as it is in Live now. */
export interface NowShown extends Pick<ItemShown, "kind" | "key" | "differences" | "parts"> {
  isGone: boolean;
}

export interface RequestShown {
  row: RequestRow;
  isTurnOff: boolean;
  items: ItemShown[];
  /** Live's side of the definitions that have changed since the request read them. */
  now: NowShown[];
  /** The problems of a waiting request, apart from conflicts. */
  problems: RequestPlan["problems"];
  events: RequestEvent[];
}

/** A request with its differences; a waiting one compared with the definitions as they are now. Null for an unknown one. */
export async function readRequest(database: Database, environment: Environment, id: string): Promise<RequestShown | null> {
  const found = await selectRequest(database.sql, environment.id, id);
  if (found === null) return null;
  const { content, ...row } = found;
  const events = await selectRequestEvents(database.sql, id);
  if (content === null) return { row, isTurnOff: true, items: [], now: [], problems: [], events };
  const items = await itemsOf(content);
  const { defaultLanguage } = environment;
  if (row.closedAt !== null)
    return { row, isTurnOff: false, items: await inTurns(shown(items, new Map(), defaultLanguage)), now: [], problems: [], events };
  return edit(database, environment, { dryRun: true }, async (open) => {
    const { changedSince, problems } = await planRequest(open, items);
    const changed = items.filter((item) => changedSince.has(subjectOfItem(item)));
    return {
      row,
      isTurnOff: false,
      problems,
      events,
      items: await inTurns(shown(items, changedSince, defaultLanguage)),
      now: changed.map((item) => {
        const present = presentIn(open.stored, item);
        return { kind: item.kind, key: item.key, isGone: present === null, ...differenceOf(item.before, present) };
      }),
    };
  });
}

function* shown(items: readonly RequestItem[], changedSince: ReadonlyMap<string, ChangedSince>, language: string): Steps<ItemShown[]> {
  const all: ItemShown[] = [];
  for (const item of items) {
    const { kind, key, before, after, isAnew = false } = item;
    all.push({
      kind,
      key,
      isAnew,
      ...differenceOf(before, after),
      name: kind === SETTINGS.kind ? "Settings" : nameIn(item, language),
      sign: before === null ? "+" : after === null ? "-" : "~",
      changedSince: changedSince.get(subjectOfItem(item)) ?? null,
    });
    yield;
  }
  return all;
}

/**
 * A definition as a waiting request would leave it, as JSON text; null if the request does not write it. For its form. `along` are the new
 * definitions of the request that it names, for a backtest.
 */
export async function requestedDocument(
  { sql }: Database,
  { id: environmentId }: Environment,
  { id, kind, key }: { id: string; kind: Kind; key: string },
): Promise<{ document: string; revision: number; along: { kind: Kind; document: string }[]; fingerprint: string } | null> {
  const row = await selectRequest(sql, environmentId, id);
  if (row === null || row.content === null || row.closedAt !== null) return null;
  const items = (await itemsOf(row.content)).filter(
    (one): one is RequestItem & DraftItem => one.kind !== SETTINGS.kind && one.after !== null,
  );
  const item = items.find((one) => one.kind === kind && one.key === key);
  if (item === undefined) return null;
  const along = namedBy(
    item,
    items.filter(({ before }) => before === null),
  );
  return {
    document: writeJson(item.after),
    revision: row.revision,
    along: along.map((one) => ({ kind: one.kind, document: writeJson(one.after) })),
    fingerprint: draftFingerprint(item, along),
  };
}

/** The number of waiting requests of each definition of a kind, by key. */
export const requestedKeys = async (sql: Sql, environmentId: number, kind: Kind): Promise<Map<string, number>> =>
  new Map((await selectRequestedKeys(sql, environmentId, kind)).map(({ key, count }) => [key, count]));
