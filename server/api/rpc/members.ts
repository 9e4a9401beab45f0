import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { changeRole } from "../../people/identity/change-role.ts";
import { membersDashboard } from "../../people/identity/contract.dashboard.ts";
import { beginMemberMail } from "../../people/identity/count-attempts.ts";
import { invite, inviteAgain, type Invitee } from "../../people/identity/invite.ts";
import { invitationLink, resetLink } from "../../model/identity/links.ts";
import { listMembers } from "../../people/identity/list-members.ts";
import { invitationMail, type Mail, resetMail } from "../../model/identity/mails.ts";
import { makeReset } from "../../people/identity/make-reset.ts";
import { leaveProject, removeMember } from "../../people/identity/remove-member.ts";
import { revokeInvitation } from "../../people/identity/revoke-invitation.ts";

const dashboard = implement(membersDashboard).$context<DashboardContext>().use(guard);

type Invited = { token: string } & Invitee;

export const membersDashboardProcedures = {
  list: dashboard.list.handler(async ({ context: { database, person, environment } }) => {
    const list = await listMembers(database, { person, project: environment });
    return {
      members: list.members.map(({ createdAt, lastSeenAt, projectId, userId: _, ...member }) => ({
        ...member,
        scope: scopeOf(projectId),
        joinedAt: formatInstant(createdAt),
        lastSeenAt: lastSeenAt === null ? null : formatInstant(lastSeenAt),
      })),
      invitations: list.invitations.map(({ projectId, organizationId: _, expiresAt, ...invitation }) => ({
        ...invitation,
        scope: scopeOf(projectId),
        expiresAt: formatInstant(expiresAt),
      })),
      mayInvite: list.mayInvite,
    };
  }),

  invite: dashboard.invite.handler(async ({ input: { project: _, ...wanted }, context }) => {
    const invited = await invite(context.database, inProject(context), wanted);
    return "problems" in invited ? invited : handOn(context, invited);
  }),

  inviteAgain: dashboard.inviteAgain.handler(async ({ input: { id }, context }) =>
    handOn(context, await inviteAgain(context.database, inProject(context), id)),
  ),

  withdraw: dashboard.withdraw.handler(({ input: { id }, context }) => revokeInvitation(context.database, inProject(context), id)),

  changeRole: dashboard.changeRole.handler(({ input: { id, role }, context }) =>
    changeRole(context.database, inProject(context), id, role),
  ),

  remove: dashboard.remove.handler(({ input: { id }, context }) => removeMember(context.database, inProject(context), id)),

  leave: dashboard.leave.handler(({ input: { id }, context }) => leaveProject(context.database, inProject(context), id)),

  resetPassword: dashboard.resetPassword.handler(async ({ input: { id }, context }) => {
    const { token, email } = await makeReset(context.database, inProject(context), id);
    const link = resetLink(context.baseUrl, token);
    return { email, link, mail: await mailed(context, resetMail(email, link)) };
  }),
};

type Context = DashboardContext & InProject & { environment: InProject["project"] };

const inProject = ({ person, actor, environment }: Omit<Context, "project">): InProject => ({
  person,
  actor,
  project: environment,
});

const scopeOf = (projectId: string | null) => (projectId === null ? "organization" : "project");

async function handOn(context: Mailing & { actor: { name: string } }, { token, email, role, to }: Invited) {
  const link = invitationLink(context.baseUrl, token);
  return { email, link, mail: await mailed(context, invitationMail(email, { role, invitedBy: context.actor.name, name: to, link })) };
}

type Mailing = DashboardContext & Pick<Context, "environment">;

async function mailed({ database, mailer, environment }: Mailing, mail: Mail): Promise<{ isSent: boolean; isTooMany: boolean } | null> {
  if (!mailer) return null;
  const { waitMs } = await beginMemberMail(database, mail.to, environment.organizationId);
  return waitMs > 0 ? { isSent: false, isTooMany: true } : { isSent: await mailer.send(mail), isTooMany: false };
}
