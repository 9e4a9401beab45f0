import { z } from "zod";
import { forPerson, forProject, inProject, instantText, problems, role } from "../../model/contract/rpc.ts";

/** `tests`: the test projects of the project, and not the project itself. */
const tokenEnvironment = z.enum(["sandbox", "live", "tests"]);

const token = z.object({
  id: z.string(),
  /** The maker's address. */
  maker: z.string(),
  isYours: z.boolean(),
  name: z.string(),
  /** Its prefix and its last four characters: "svc_pat_…9f3c". */
  hint: z.string(),
  /** The token's role; at the moment of a call it is never more than its maker's. */
  role,
  /** Null: both. */
  environment: tokenEnvironment.nullable(),
  createdAt: instantText,
  expiresAt: instantText,
  /** To the minute; null before its first use. */
  lastUsedAt: instantText.nullable(),
  state: z.enum(["InForce", "Expired", "Revoked"]),
});

const wanted = inProject.extend({ name: z.string().max(1000), role, environment: tokenEnvironment.nullable(), days: z.number() });

/** Tokens by which people's own programs call these procedures; they open none of those that make or take access. */
export const tokensDashboard = {
  /** The caller and, where a token speaks for them, what it is bound to; null for a session. */
  current: forPerson({ tokens: "any" }).output(
    z.object({
      email: z.string(),
      token: token.pick({ name: true, role: true, environment: true, expiresAt: true }).extend({ project: z.string() }).nullable(),
    }),
  ),
  /** Revokes the token that calls, from the next call on; its name, null for a session. */
  end: forPerson({ tokens: "any" }).output(z.object({ name: z.string().nullable() })),
  /** One's own, for Admins and Owners everybody's: those in force, then ended ones, the newest first of each. */
  list: forProject("Viewer", { tokens: "none" })
    .input(inProject)
    .output(
      z.object({
        tokens: z.array(token),
        /** The roles that the caller may give to a token, the highest first. */
        mayGive: z.array(role),
      }),
    ),
  /** The token is shown this once. */
  create: forProject("Viewer", { tokens: "none" })
    .input(wanted)
    .output(z.union([z.object({ token: z.string() }), z.object({ problems })])),
  /** Lets a program in that has made its token itself (`engagement login`): the token's SHA-256 in hex, and its last four characters. */
  approve: forProject("Viewer", { tokens: "none" })
    .input(wanted.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/), lastFour: z.string().regex(/^[0-9a-f]{4}$/) }))
    .output(z.object({ problems })),
  /** Holds from the next call on. Everybody revokes their own; Admins and Owners revoke any. */
  revoke: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
};
