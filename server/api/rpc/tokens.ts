import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { ROLES } from "../../model/kernel/roles.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { tokensDashboard } from "../../people/tokens/contract.dashboard.ts";
import { createRequestedToken, createToken } from "../../people/tokens/create.ts";
import { listTokens } from "../../people/tokens/list.ts";
import { endToken, revokeToken } from "../../people/tokens/revoke.ts";
import { requestedToken } from "../../model/tokens/token.ts";

const dashboard = implement(tokensDashboard).$context<DashboardContext>().use(guard);

const instantOf = (at: number | null) => (at === null ? null : formatInstant(at));

export const tokensDashboardProcedures = {
  current: dashboard.current.handler(({ context: { person, token } }) => ({
    email: person.email,
    token: token && {
      name: token.name,
      role: token.role,
      environment: token.environment,
      project: token.projectSlug,
      expiresAt: formatInstant(token.expiresAt),
    },
  })),
  end: dashboard.end.handler(async ({ context: { database, actor, token } }) => {
    if (token !== null) await endToken(database, token, actor);
    return { name: token?.name ?? null };
  }),
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
  approve: dashboard.approve.handler(async ({ input, context: { database, person, actor, environment } }) => {
    const { project: _, hash, lastFour, ...wanted } = input;
    const where = { person, actor, project: environment };
    return { problems: await createRequestedToken(database, where, wanted, requestedToken(hash, lastFour)) };
  }),
  revoke: dashboard.revoke.handler(async ({ input: { id }, context: { database, person, actor, environment, role } }) => {
    await revokeToken(database, { person, actor, project: environment, role }, id);
  }),
};
