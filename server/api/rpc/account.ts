import { dated } from "./inputs.ts";
import { changePassword } from "../../people/identity/change-password.ts";
import { confirmIdentity } from "../../people/identity/confirm.ts";
import { endOtherSessions, endSession, forgetDevices } from "../../people/identity/sessions.ts";
import {
  beginSetUp,
  finishSetUp,
  readRequirement,
  removeFactor,
  renewRecoveryCodes,
  requireFactor,
} from "../../people/identity/second-factor.ts";
import { readAccount } from "../../people/identity/accounts.ts";
import { z } from "zod";
import { forPerson, forProject, NOTHING, unconfirmed } from "../access.ts";
import { inProject, instantText } from "../../model/contract/rpc.ts";

const session = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  createdAt: instantText,
  lastSeenAt: instantText,
  expiresAt: instantText,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

const device = session.omit({ isCurrent: true, lastSeenAt: true }).extend({ lastUsedAt: instantText });

const account = z.object({
  email: z.string(),
  hasPassword: z.boolean(),
  providers: z.array(z.string()),
  sessions: z.array(session),
  /** Null without a second factor. */
  secondFactor: z.object({ since: instantText, recoveryCodes: z.number() }).nullable(),
  /** Whether an organization requires one. */
  isFactorRequired: z.boolean(),
  /** The remembered browsers, which need no code. */
  devices: z.array(device),
});

/** Also for people who still have to set up a second factor. */
const BEFORE_FACTOR = { tokens: "none", isBeforeFactor: true } as const;

const code = z.string().max(100);

export const accountDashboardProcedures = {
  read: forPerson("cheap", BEFORE_FACTOR)(
    NOTHING,
    async (_, { database, person }) => {
      const { sessions, devices, secondFactor, ...account } = await readAccount(database, person);
      return {
        ...account,
        secondFactor: secondFactor && dated(secondFactor, "since"),
        devices: devices.map((device) => dated(device, "createdAt", "lastUsedAt", "expiresAt")),
        sessions: sessions.map((session) => dated(session, "createdAt", "lastSeenAt", "expiresAt")),
      };
    },
    account,
  ),
  /** Ends the other sessions, and with `endsTokens` every personal token. `current` is ignored if there is no password yet. */
  changePassword: forPerson("cheap", { tokens: "none" })(
    z.object({ current: z.string().max(1000), next: z.string().max(1000), endsTokens: z.boolean().optional() }),
    async (input, { database, person }) => {
      const problems = await changePassword(database, person, input);
      if (problems === "unconfirmed") throw unconfirmed("a first password needs a sign-in with your provider again");
      return { problems };
    },
  ),
  endSession: forPerson("cheap", { tokens: "none" })(z.object({ id: z.uuid() }), async ({ id }, { database, person }) => {
    await endSession(database, person, id);
  }),
  endOtherSessions: forPerson("cheap", { tokens: "none" })(NOTHING, async (_, { database, person }) => ({
    ended: await endOtherSessions(database, person),
  })),
  /**
   * Proves the person's identity for the sensitive calls of the next hour: by a code if they have a second factor, otherwise by password.
   */
  confirm: forPerson("cheap", BEFORE_FACTOR)(
    z.object({ password: z.string().max(1000).optional(), code: code.optional() }),
    async (given, { database, cipher, person }) => ({ problems: await confirmIdentity(database, cipher, person, given) }),
  ),
  /** A new secret for an authenticator app, shown once. It takes effect when `finishSetUp` gets a code of it. */
  beginSetUp: forPerson("cheap", { ...BEFORE_FACTOR, isSensitive: true })(NOTHING, (_, { database, cipher, person, baseUrl }) =>
    beginSetUp(database, cipher, person, new URL(baseUrl).host),
  ),
  /** The recovery codes are shown once. */
  finishSetUp: forPerson("cheap", { ...BEFORE_FACTOR, isSensitive: true })(z.object({ code }), ({ code }, { database, cipher, person }) =>
    finishSetUp(database, cipher, person, code),
  ),
  /** New recovery codes in place of the old ones, shown once. */
  renewRecoveryCodes: forPerson("cheap", { tokens: "none", isSensitive: true })(NOTHING, async (_, { database, person }) => ({
    recoveryCodes: await renewRecoveryCodes(database, person),
  })),
  removeFactor: forPerson("cheap", { tokens: "none", isSensitive: true })(NOTHING, (_, { database, person }) =>
    removeFactor(database, person),
  ),
  /** Forgets a remembered browser, which then needs a code again; null: all of them. */
  forgetDevices: forPerson("cheap", { tokens: "none" })(z.object({ id: z.uuid().nullable() }), async ({ id }, { database, person }) => ({
    count: await forgetDevices(database, person, id),
  })),
};

/** Whose sign-in requires a second factor, for the organization of a project. */
export const securityDashboardProcedures = {
  read: forProject("Viewer", "cheap", { tokens: "none" })(inProject, (_, { database, person, environment }) =>
    readRequirement(database, person, environment.organizationId),
  ),
  require: forProject("Owner", "cheap", { tokens: "none", isSensitive: true })(
    inProject.extend({ requirement: z.enum(["live", "everybody"]).nullable() }),
    ({ requirement }, { database, person, actor, environment }) =>
      requireFactor(database, { person, actor, project: environment }, requirement),
  ),
};
