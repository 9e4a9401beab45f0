import { dated } from "./inputs.ts";
import { ROLES } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { createRequestedToken, createToken, endToken, listTokens, revokeToken } from "../../people/tokens/tokens.ts";
import { requestedToken } from "../../model/tokens/token.ts";
import { z } from "zod";
import { forPerson, forProject, NOTHING } from "../access.ts";
import { inProject, instantText, problems, role } from "../../model/contract/rpc.ts";

/** `tests`: the test projects of the project, but not the project itself. */
const tokenEnvironment = z.enum(["sandbox", "live", "tests"]);
const wanted = inProject.extend({ name: z.string().max(1000), role, environment: tokenEnvironment.nullable(), days: z.number() });

const token = z.object({
  id: z.string(),
  /** The maker's address. */
  maker: z.string(),
  isYours: z.boolean(),
  name: z.string(),
  /** Its prefix and its last four characters: "svc_pat_…9f3c". */
  hint: z.string(),
  /** The token's role; on each call it is capped at its maker's current role. */
  role,
  /** Null: both. */
  environment: tokenEnvironment.nullable(),
  createdAt: instantText,
  expiresAt: instantText,
  /** To the minute; null before its first use. */
  lastUsedAt: instantText.nullable(),
  state: z.enum(["InForce", "Expired", "Revoked"]),
});

const calling = z.object({
  email: z.string(),
  token: token.pick({ name: true, role: true, environment: true, expiresAt: true }).extend({ project: z.string() }).nullable(),
});

/** Personal tokens, by which programs call these procedures; they are refused by those that grant or revoke access. */
export const tokensDashboardProcedures = {
  /** The caller and the bounds of the calling token; null for a session. */
  current: forPerson("cheap", { tokens: "any", isBeforeFactor: true })(
    NOTHING,
    (_, { person, token }) => ({
      email: person.email,
      token: token && {
        name: token.name,
        role: token.role,
        environment: token.environment,
        project: token.projectSlug,
        expiresAt: formatInstant(token.expiresAt),
      },
    }),
    calling,
  ),
  /** Revokes the calling token, from the next call on, and returns its name; null for a session. */
  end: forPerson("cheap", { tokens: "any" })(NOTHING, async (_, { database, actor, token }) => {
    if (token !== null) await endToken(database, token, actor);
    return { name: token?.name ?? null };
  }),
  /** The caller's own tokens, for Admins and Owners all: valid ones, then ended ones, each newest first. */
  list: forProject("Viewer", "cheap", { tokens: "none" })(
    inProject,
    async (_, { database, person, environment, role }) => {
      const tokens = await listTokens(database, { person, project: environment, role });
      return {
        tokens: tokens.map(({ makerId: _, isExpired, revokedAt, ...token }) => ({
          ...dated(token, "createdAt", "expiresAt", "lastUsedAt"),
          state: revokedAt !== null ? ("Revoked" as const) : isExpired ? ("Expired" as const) : ("InForce" as const),
        })),
        mayGive: ROLES.slice(ROLES.indexOf(role)),
      };
    },
    z.object({ tokens: z.array(token), mayGive: z.array(role) }),
  ),
  /** The token is shown once. */
  create: forProject("Viewer", "cheap", { tokens: "none", isSensitive: true })(
    wanted,
    ({ project: _, ...wanted }, { database, person, actor, environment }) =>
      createToken(database, { person, actor, project: environment }, wanted),
    z.union([z.object({ token: z.string() }), z.object({ problems })]),
  ),
  /** Approves a token that a program generated itself (`engagement login`), by its SHA-256 in hex and its last four characters. */
  approve: forProject("Viewer", "cheap", { tokens: "none", isSensitive: true })(
    wanted.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/), lastFour: z.string().regex(/^[0-9a-f]{4}$/) }),
    async (input, { database, person, actor, environment }) => {
      const { project: _, hash, lastFour, ...wanted } = input;
      const where = { person, actor, project: environment };
      return { problems: await createRequestedToken(database, where, wanted, requestedToken(hash, lastFour)) };
    },
  ),
  /** Takes effect with the next call. People revoke their own tokens; Admins and Owners revoke any. */
  revoke: forProject("Viewer", "cheap", { tokens: "none", isSensitive: true })(
    inProject.extend({ id: z.uuid() }),
    async ({ id }, { database, person, actor, environment, role }) => {
      await revokeToken(database, { person, actor, project: environment, role }, id);
    },
  ),
};
