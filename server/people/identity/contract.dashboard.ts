import { z } from "zod";
import { forPerson, forProject, inProject, instantText, problems, role } from "../../model/contract/rpc.ts";

/** The whole organization, or this project alone. */
const scope = z.enum(["organization", "project"]);

const member = z.object({
  /** The membership's id. */
  id: z.string(),
  email: z.string(),
  role,
  scope,
  isYou: z.boolean(),
  joinedAt: instantText,
  /** Null while they are signed in nowhere. */
  lastSeenAt: instantText.nullable(),
  /** The roles that the caller may give them; empty where the caller may change nothing. */
  mayBecome: z.array(role),
  mayRemove: z.boolean(),
  maySetPassword: z.boolean(),
});

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role,
  scope,
  invitedBy: z.string(),
  expiresAt: instantText,
  isExpired: z.boolean(),
  mayChange: z.boolean(),
});

/** A link to hand on, shown once, and the result of mailing it. `mail` is null if no mail server is configured. */
const handedOn = z.object({
  email: z.string(),
  link: z.string(),
  /** `isTooMany`: nothing was sent, since the address or the organization has reached its limit of mails. */
  mail: z.object({ isSent: z.boolean(), isTooMany: z.boolean() }).nullable(),
});

/** The members of a project and their roles. */
export const membersDashboard = {
  list: forProject("Viewer", { tokens: "none" })
    .input(inProject)
    .output(
      z.object({
        members: z.array(member),
        invitations: z.array(invitation),
        /** The roles that the caller may invite to. */
        mayInvite: z.object({ project: z.array(role), organization: z.array(role) }),
      }),
    ),
  /** Inviting the same person again makes a new link and voids the previous one. */
  invite: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ email: z.string().max(1000), role, scope }))
    .output(z.union([handedOn, z.object({ problems })])),
  inviteAgain: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(handedOn),
  withdraw: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
  /** Takes effect with their next request. */
  changeRole: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid(), role }))
    .output(z.void()),
  /** Ends their sessions at once. */
  remove: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
  /** The caller leaves the project, or the whole organization if that is their membership. */
  leave: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
  /** A link to set a new password, valid for a day. */
  resetPassword: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(handedOn),
};

const session = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  createdAt: instantText,
  lastSeenAt: instantText,
  expiresAt: instantText,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

/** A person's own account. */
export const accountDashboard = {
  read: forPerson({ tokens: "none" }).output(
    z.object({ email: z.string(), hasPassword: z.boolean(), providers: z.array(z.string()), sessions: z.array(session) }),
  ),
  /** Ends the other sessions, and with `endsTokens` every personal token. `current` is ignored if there is no password yet. */
  changePassword: forPerson({ tokens: "none" })
    .input(z.object({ current: z.string().max(1000), next: z.string().max(1000), endsTokens: z.boolean().optional() }))
    .output(z.object({ problems })),
  endSession: forPerson({ tokens: "none" })
    .input(z.object({ id: z.uuid() }))
    .output(z.void()),
  endOtherSessions: forPerson({ tokens: "none" }).output(z.object({ ended: z.int() })),
};
