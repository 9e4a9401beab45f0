import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { ROLES } from "../kernel/roles.ts";
import { formatInstant } from "../kernel/time.ts";
import { tokensDashboard } from "./contract.dashboard.ts";
import { createToken } from "./create.ts";
import { listTokens } from "./list.ts";
import { revokeToken } from "./revoke.ts";

const dashboard = implement(tokensDashboard).$context<DashboardContext>().use(guard);

const instantOf = (at: number | null) => (at === null ? null : formatInstant(at));

export const tokensDashboardProcedures = {
  list: dashboard.list.handler(async ({ context: { database, person, environment, role } }) => {
    const tokens = await listTokens(database, { person, project: environment, role });
    return {
      tokens: tokens.map(({ makerId: _, createdAt, expiresAt, lastUsedAt, isExpired, revokedAt, ...token }) => ({
        ...token,
        state: revokedAt !== null ? ("Revoked" as const) : isExpired ? ("Expired" as const) : ("InForce" as const),
        createdAt: formatInstant(createdAt),
        expiresAt: formatInstant(expiresAt),
        lastUsedAt: instantOf(lastUsedAt),
      })),
      mayGive: ROLES.slice(ROLES.indexOf(role)),
    };
  }),
  create: dashboard.create.handler(({ input: { project: _, ...wanted }, context: { database, person, actor, environment } }) =>
    createToken(database, { person, actor, project: environment }, wanted),
  ),
  revoke: dashboard.revoke.handler(async ({ input: { id }, context: { database, person, actor, environment, role } }) => {
    await revokeToken(database, { person, actor, project: environment, role }, id);
  }),
};
