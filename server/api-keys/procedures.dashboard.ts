import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { formatInstant } from "../kernel/time.ts";
import { apiKeysDashboard } from "./contract.dashboard.ts";
import { createApiKey } from "./create.ts";
import { revokeApiKeyById } from "./revoke.ts";
import { selectKeys } from "./store.ts";

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
