import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { playerKey } from "../../model/players/identity.ts";
import { pointsContract } from "../../game/points/contract.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { selectBalance, selectTransactions } from "../../game/points/store.ts";

const api = implement(pointsContract).$context<ApiContext>();

export const pointsProcedures = {
  balance: api.balance.handler(({ input, context: { database, environment } }) =>
    selectBalance(database.sql, playerKey(environment.id, input.PlayerId)),
  ),

  adjust: api.adjust.handler(async ({ input, context: { database, environment, now } }) => {
    const { playerId: externalId, ...rest } = input;
    const { occurredAt, ...adjusted } = await adjustPoints(database, environment, now, { externalId, ...rest });
    return { ...adjusted, occurredAtUtc: formatInstant(occurredAt) };
  }),

  transactions: api.transactions.handler(async ({ input, context: { database, environment } }) => {
    const rows = await selectTransactions(database.sql, playerKey(environment.id, input.PlayerId), input.Take ?? null);
    return rows.map(({ occurredAt, ...row }) => ({ ...row, occurredAtUtc: formatInstant(occurredAt) }));
  }),
};
