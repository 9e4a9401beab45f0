import { type Database, transact } from "#db/client.ts";
import { documentOfOne } from "#server/model/definitions/overview.ts";
import { type DraftItem, draftFingerprint, storedOf } from "#server/model/definitions/request-items.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { fingerprintOfDraft } from "#server/model/kernel/sha256.ts";
import { loadPreview } from "../../definitions/service/preview.ts";
import { readDocument } from "../../definitions/service/read-one.ts";
import * as store from "../store/rows.ts";
import { notPlayable } from "../play-board.ts";
import type { Backtest } from "./run.ts";

export type { BacktestRow } from "../store/rows.ts";

/** Finished backtests that an environment keeps. */
const MAX_KEPT = 50;
const MAX_LISTED = 10;

/**
 * Starts a backtest in the background, once the draft is checked like a save. An environment runs one at a time. Throws OperatorError
 * if one is already running.
 */
export async function startBacktest(database: Database, environment: Environment, now: number, asked: Backtest, actor: Actor) {
  const read = await readDocument(asked.document, asked.along);
  if ("problems" in read) return { problems: read.problems, id: null };
  const previewed = await loadPreview(database.sql, environment, now, asked.kind, read.document, read.along);
  if ("problems" in previewed) return { problems: previewed.problems, id: null };
  if (asked.kind === "leaderboards") {
    const refused = notPlayable(previewed.definitions.leaderboards.find((one) => one.id === previewed.id)!);
    if (refused !== null) throw new OperatorError(refused);
  }
  const stored = previewed.stored.lists[asked.kind].find((one) => one.id === previewed.id)!;
  const { key } = stored.shaped;
  const along = read.along.flatMap(({ kind, value }) => {
    const one = storedOf(previewed.stored, { kind, key: (value as { key: string }).key });
    return one === null ? [] : [draftOf(one)];
  });
  const id = await transact(database, async (tx) => {
    const row = {
      ...asked,
      key,
      along: writeJson(asked.along),
      fingerprint: fingerprintOfDraft(asked.document, asked.along),
      draftFingerprint: draftFingerprint(draftOf(stored), along),
      createdBy: actor.name,
    };
    const inserted = await store.insertBacktest(tx, environment.id, row);
    await store.keepNewest(tx, environment.id, MAX_KEPT);
    return inserted;
  });
  if (id === null) throw new OperatorError("Another backtest of this environment is running. Wait for it, or cancel it.");
  return { problems: [], id };
}

const draftOf = (stored: Stored): DraftItem => ({ kind: stored.kind, key: stored.shaped.key, after: documentOfOne(stored) });

/** The newest backtests of a definition, or of one draft of it, without their results. */
export const listBacktests = (
  { sql }: Database,
  environment: Environment,
  { draftFingerprint = null, ...which }: { kind: string; key: string; draftFingerprint?: string | null },
) => store.selectBacktests(sql, environment.id, { ...which, draftFingerprint }, MAX_LISTED);

/** A backtest with its result; null if unknown. */
export const readBacktest = ({ sql }: Database, environment: Environment, id: string) => store.selectBacktest(sql, environment.id, id);

/** False if no backtest of this id is waiting or running. */
export const cancelBacktest = ({ sql }: Database, environment: Environment, id: string): Promise<boolean> =>
  store.cancelBacktest(sql, environment.id, id);
