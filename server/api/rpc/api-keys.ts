import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { apiKeysDashboard } from "../../people/api-keys/contract.dashboard.ts";
import { createApiKey } from "../../people/api-keys/create.ts";
import { revokeApiKeyById } from "../../people/api-keys/revoke.ts";
import { selectKeys } from "../../people/api-keys/store.ts";

const dashboard = implement(apiKeysDashboard).$context<DashboardContext>().use(guard);

const instantOf = (at: number | null) => (at === null ? null : formatInstant(at));

export const apiKeysDashboardProcedures = {
  list: dashboard.list.handler(async ({ context: { database, environment } }) => {
    const keys = await selectKeys(database.sql, environment.id);
    return keys.map((key) => ({
      ...key,
      createdAt: formatInstant(key.createdAt),
      lastUsedAt: instantOf(key.lastUsedAt),
      revokedAt: instantOf(key.revokedAt),
    }));
  }),
  create: dashboard.create.handler(async ({ input: { name }, context: { database, environment, actor } }) => ({
    key: await createApiKey(database, environment, name, actor),
  })),
  revoke: dashboard.revoke.handler(({ input: { id }, context: { database, environment, actor } }) =>
    revokeApiKeyById(database, environment, id, actor),
  ),
};
