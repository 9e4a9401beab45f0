import { ORPCError } from "@orpc/server";
import { z } from "zod";
import { backtestShape } from "../../authoring/backtests/shapes.ts";
import {
  type BacktestRow,
  cancelBacktest,
  listBacktests,
  readBacktest,
  startBacktest,
} from "../../authoring/backtests/service/backtests.ts";
import { BACKTESTED_KINDS } from "../../model/backtests/result.ts";
import { inEnvironment } from "../../model/contract/rpc.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { DEFINITION_BODY, forEnvironment } from "../access.ts";
import { instantOrNull } from "./inputs.ts";

const one = inEnvironment.extend({ id: z.uuid() });

/** Drafts played over the past of real players, in the background. */
export const backtestsDashboardProcedures = {
  /** Checks a draft and queues its backtest. An environment has one waiting or running at a time. */
  start: forEnvironment("Editor", "costly", { largestBody: DEFINITION_BODY, wakes: true })(
    backtestShape,
    ({ kind, document, along, days, entry, sample }, { database, environment, now, actor }) =>
      startBacktest(database, environment, now, { kind, document, along, days, entry, sample }, actor),
  ),
  /** The newest backtests of a definition, or of one draft of it, without their results. */
  list: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({
      kind: z.enum(BACKTESTED_KINDS),
      key: z.string().max(100),
      draftFingerprint: z.string().max(64).nullable().default(null),
    }),
    async (which, { database, environment }) => ({ backtests: (await listBacktests(database, environment, which)).map(shown) }),
  ),
  /** A backtest with its progress, and its result once it is done. */
  get: forEnvironment("Viewer", "cheap")(one, async ({ id }, { database, environment }) => {
    const found = await readBacktest(database, environment, id);
    if (found === null) throw notThere();
    return { ...shown(found), result: found.result };
  }),
  /** Cancels a waiting or running backtest; it keeps no result. */
  cancel: forEnvironment("Editor", "cheap")(one, async ({ id }, { database, environment }) => {
    if (!(await cancelBacktest(database, environment, id)) && (await readBacktest(database, environment, id)) === null) throw notThere();
  }),
};

const notThere = () => new ORPCError("NOT_FOUND", { message: "There is no such backtest. Only the newest ones are kept." });

const shown = ({ createdAt, finishedAt, ...row }: BacktestRow) => ({
  ...row,
  createdAt: formatInstant(createdAt),
  finishedAt: instantOrNull(finishedAt),
  progress: row.planned === 0 ? 0 : row.done / row.planned,
});
