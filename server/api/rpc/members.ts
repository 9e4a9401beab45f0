import { dated } from "./inputs.ts";
import { type DashboardContext, forProject } from "../access.ts";
import type { InProject } from "../../model/kernel/environment.ts";
import { changeRole, leaveProject, listMembers, removeMember } from "../../people/identity/members.ts";
import { beginMemberMail } from "../../people/identity/count-attempts.ts";
import { invite, inviteAgain, type Invitee, revokeInvitation } from "../../people/identity/invite.ts";
import { factorResetMail, invitationLink, invitationMail, type Mail, resetLink, resetMail } from "../../model/identity/mails.ts";
import { makeReset } from "../../people/identity/reset.ts";
import { resetMemberFactor } from "../../people/identity/second-factor.ts";
import { z } from "zod";
import { inProject, instantText, role } from "../../model/contract/rpc.ts";

/** The whole organization, or this project alone. */
const scope = z.enum(["organization", "project"]);

const member = z.object({
  /** The membership's id. */
  id: z.string(),
  email: z.string(),
  role,
  /** The lower role in Live; null: the same. */
  liveRole: role.nullable(),
  /** Whether an Admin lets them approve change requests of Live, as an Editor there. */
  approves: z.boolean(),
  scope,
  isYou: z.boolean(),
  joinedAt: instantText,
  /** Null while they are signed in nowhere. */
  lastSeenAt: instantText.nullable(),
  /** The roles that the caller may give them; empty if the caller may change nothing. */
  mayBecome: z.array(role),
  mayRemove: z.boolean(),
  /** Whether the caller may let them approve change requests, or stop that. */
  mayLetApprove: z.boolean(),
  maySetPassword: z.boolean(),
  /** Null for callers who may not know, and for members without a password. */
  hasSecondFactor: z.boolean().nullable(),
  mayResetFactor: z.boolean(),
});

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role,
  liveRole: role.nullable(),
  scope,
  invitedBy: z.string(),
  expiresAt: instantText,
  isExpired: z.boolean(),
  mayChange: z.boolean(),
});

const people = z.object({
  members: z.array(member),
  invitations: z.array(invitation),
  /** The roles that the caller may invite to. */
  mayInvite: z.object({ project: z.array(role), organization: z.array(role) }),
  /** Invitations are mailed; otherwise only their links are shown. */
  canMail: z.boolean(),
});

type Invited = { token: string } & Invitee;

const one = inProject.extend({ id: z.uuid() });
const byAdmin = () => forProject("Admin", "cheap", { tokens: "none", isSensitive: true });

export const membersDashboardProcedures = {
  list: forProject("Viewer", "cheap", { tokens: "none" })(
    inProject,
    async (_, { database, person, environment, mailer }) => {
      const list = await listMembers(database, { person, project: environment });
      return {
        members: list.members.map(({ createdAt: joinedAt, projectId, ...member }) => ({
          ...dated({ ...member, joinedAt }, "joinedAt", "lastSeenAt"),
          scope: scopeOf(projectId),
        })),
        invitations: list.invitations.map(({ projectId, ...invitation }) => ({
          ...dated(invitation, "expiresAt"),
          scope: scopeOf(projectId),
        })),
        mayInvite: list.mayInvite,
        canMail: mailer !== undefined,
      };
    },
    people,
  ),

  /** Inviting the same person again makes a new link and voids the previous one. */
  invite: byAdmin()(
    inProject.extend({ email: z.string().max(1000), role, liveRole: role.nullable().default(null), scope }),
    async ({ project: _, ...wanted }, context) => {
      const invited = await invite(context.database, placed(context), wanted);
      return "problems" in invited ? invited : handOn(context, invited);
    },
  ),

  inviteAgain: byAdmin()(one, async ({ id }, context) => handOn(context, await inviteAgain(context.database, placed(context), id))),

  withdraw: byAdmin()(one, ({ id }, context) => revokeInvitation(context.database, placed(context), id)),

  /** Takes effect with their next request. */
  changeRole: byAdmin()(
    // `approves`: whether an Editor of Live may approve change requests. Fields that are left out do not change.
    inProject.extend({ id: z.uuid(), role: role.optional(), liveRole: role.nullable().optional(), approves: z.boolean().optional() }),
    ({ project: _, id, ...wanted }, context) => changeRole(context.database, placed(context), id, wanted),
  ),

  /** Ends their sessions immediately. */
  remove: byAdmin()(one, ({ id }, context) => removeMember(context.database, placed(context), id)),

  /** The caller leaves the project, or the whole organization if that is their membership. */
  leave: forProject("Viewer", "cheap", { tokens: "none" })(one, ({ id }, context) => leaveProject(context.database, placed(context), id)),

  /** A link to set a new password, valid for a day. */
  resetPassword: byAdmin()(one, async ({ id }, context) => {
    const { token, email } = await makeReset(context.database, placed(context), id);
    const link = resetLink(context.baseUrl, token);
    return { email, link, mail: await mailed(context, resetMail(email, link)) };
  }),

  /** Removes the second factor of a member who lost it, and ends their sessions; they are told by mail. */
  resetFactor: forProject("Owner", "cheap", { tokens: "none", isSensitive: true })(one, async ({ id }, context) => {
    const email = await resetMemberFactor(context.database, placed(context), id);
    const mail = factorResetMail(email, { by: context.actor.name, name: context.projectName });
    return { email, mail: await mailed(context, mail) };
  }),
};

type Context = DashboardContext & InProject & { environment: InProject["project"] };

const placed = ({ person, actor, environment }: Omit<Context, "project">): InProject => ({ person, actor, project: environment });

const scopeOf = (projectId: string | null) => (projectId === null ? ("organization" as const) : ("project" as const));

async function handOn(context: Mailing & { actor: { name: string } }, { token, email, to: name, ...roles }: Invited) {
  const link = invitationLink(context.baseUrl, token);
  return { email, link, mail: await mailed(context, invitationMail(email, { ...roles, invitedBy: context.actor.name, name, link })) };
}

type Mailing = DashboardContext & Pick<Context, "environment">;

async function mailed({ database, mailer, environment }: Mailing, mail: Mail): Promise<{ isSent: boolean; isTooMany: boolean } | null> {
  if (!mailer) return null;
  const { waitMs } = await beginMemberMail(database, mail.to, environment.organizationId);
  return waitMs > 0 ? { isSent: false, isTooMany: true } : { isSent: await mailer.send(mail), isTooMany: false };
}
