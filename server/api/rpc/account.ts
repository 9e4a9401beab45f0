import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { changePassword } from "../../people/identity/change-password.ts";
import { accountDashboard } from "../../people/identity/contract.dashboard.ts";
import { endOtherSessions, endSession } from "../../people/identity/end-sessions.ts";
import { readAccount } from "../../people/identity/read-account.ts";

const dashboard = implement(accountDashboard).$context<DashboardContext>().use(guard);

export const accountDashboardProcedures = {
  read: dashboard.read.handler(async ({ context: { database, person } }) => {
    const { sessions, ...account } = await readAccount(database, person);
    return {
      ...account,
      sessions: sessions.map(({ createdAt, lastSeenAt, expiresAt, ...session }) => ({
        ...session,
        createdAt: formatInstant(createdAt),
        lastSeenAt: formatInstant(lastSeenAt),
        expiresAt: formatInstant(expiresAt),
      })),
    };
  }),
  changePassword: dashboard.changePassword.handler(async ({ input, context: { database, person } }) => ({
    problems: await changePassword(database, person, input),
  })),
  endSession: dashboard.endSession.handler(async ({ input: { id }, context: { database, person } }) => {
    await endSession(database, person, id);
  }),
  endOtherSessions: dashboard.endOtherSessions.handler(async ({ context: { database, person } }) => ({
    ended: await endOtherSessions(database, person),
  })),
};
