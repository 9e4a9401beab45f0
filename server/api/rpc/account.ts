import { formatInstant } from "../../model/kernel/time.ts";
import { changePassword } from "../../people/identity/change-password.ts";
import { endOtherSessions, endSession } from "../../people/identity/sessions.ts";
import { readAccount } from "../../people/identity/accounts.ts";
import { z } from "zod";
import { forPerson, NOTHING } from "../access.ts";
import { instantText } from "../../model/contract/rpc.ts";

const session = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  createdAt: instantText,
  lastSeenAt: instantText,
  expiresAt: instantText,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

const account = z.object({ email: z.string(), hasPassword: z.boolean(), providers: z.array(z.string()), sessions: z.array(session) });

export const accountDashboardProcedures = {
  read: forPerson("cheap", { tokens: "none" })(
    NOTHING,
    async (_, { database, person }) => {
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
    },
    account,
  ),
  /** Ends the other sessions, and with `endsTokens` every personal token. `current` is ignored if there is no password yet. */
  changePassword: forPerson("cheap", { tokens: "none" })(
    z.object({ current: z.string().max(1000), next: z.string().max(1000), endsTokens: z.boolean().optional() }),
    async (input, { database, person }) => ({
      problems: await changePassword(database, person, input),
    }),
  ),
  endSession: forPerson("cheap", { tokens: "none" })(z.object({ id: z.uuid() }), async ({ id }, { database, person }) => {
    await endSession(database, person, id);
  }),
  endOtherSessions: forPerson("cheap", { tokens: "none" })(NOTHING, async (_, { database, person }) => ({
    ended: await endOtherSessions(database, person),
  })),
};
