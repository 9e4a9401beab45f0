import { z } from "zod";
import { forPerson, forProject, inProject, instantText, problems, role } from "../../model/contract/rpc.ts";

/** `tests`: the test projects of the project, but not the project itself. */
const tokenEnvironment = z.enum(["sandbox", "live", "tests"]);

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

const wanted = inProject.extend({ name: z.string().max(1000), role, environment: tokenEnvironment.nullable(), days: z.number() });

/** Personal tokens, by which programs call these procedures; they are refused by those that grant or revoke access. */
export const tokensDashboard = {
  /** The caller and the bounds of the calling token; null for a session. */
  current: forPerson({ tokens: "any" }).output(
    z.object({
      email: z.string(),
      token: token.pick({ name: true, role: true, environment: true, expiresAt: true }).extend({ project: z.string() }).nullable(),
    }),
  ),
  /** Revokes the calling token, from the next call on, and returns its name; null for a session. */
  end: forPerson({ tokens: "any" }).output(z.object({ name: z.string().nullable() })),
  /** The caller's own tokens, for Admins and Owners all: valid ones, then ended ones, each newest first. */
  list: forProject("Viewer", { tokens: "none" })
    .input(inProject)
    .output(
      z.object({
        tokens: z.array(token),
        /** The roles that the caller may give to a token, the highest first. */
        mayGive: z.array(role),
      }),
    ),
  /** The token is shown once. */
  create: forProject("Viewer", { tokens: "none" })
    .input(wanted)
    .output(z.union([z.object({ token: z.string() }), z.object({ problems })])),
  /** Approves a token that a program generated itself (`engagement login`), by its SHA-256 in hex and its last four characters. */
  approve: forProject("Viewer", { tokens: "none" })
    .input(wanted.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/), lastFour: z.string().regex(/^[0-9a-f]{4}$/) }))
    .output(z.object({ problems })),
  /** Takes effect with the next call. People revoke their own tokens; Admins and Owners revoke any. */
  revoke: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
};
