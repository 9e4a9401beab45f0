import { z } from "zod";
import { forProject, inProject, instantText, problems, role } from "../api/contract.dashboard.ts";

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

/** Tokens by which people's own programs call these procedures; they open none of those that make or take access. */
export const tokensDashboard = {
  /** One's own, for Admins and Owners everybody's; the newest first, ended ones too. */
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
    .input(inProject.extend({ name: z.string().max(1000), role, environment: tokenEnvironment.nullable(), days: z.number() }))
    .output(z.union([z.object({ token: z.string() }), z.object({ problems })])),
  /** Holds from the next call on. Everybody revokes their own; Admins and Owners revoke any. */
  revoke: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
};
