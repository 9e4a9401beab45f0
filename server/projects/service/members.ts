import { type Database, transact, type Transaction } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { Refused } from "../../kernel/refused.ts";
import { type Actor, isAtLeast, type Role, ROLES } from "../../kernel/roles.ts";
import { emailProblem, plainEmail } from "../emails.ts";
import { INVITATION_MS } from "../links.ts";
import { grantProblem, maySetPassword, roleIn, type Standing } from "../standing.ts";
import * as invitations from "../store/invitations.ts";
import * as store from "../store/people.ts";
import { newToken } from "./invitations.ts";
import { created, recordAboutMember } from "./joining.ts";
import { voidLinks } from "./open-links.ts";

/** Who changes something, and the project from which they do. */
export interface InProject {
  person: { userId: string };
  actor: Actor;
  project: Pick<Environment, "organizationId" | "projectId">;
}

export interface MemberView extends store.MemberRow {
  isYou: boolean;
  /** The roles that who asks may give them; empty where they may change nothing. */
  mayBecome: Role[];
  mayRemove: boolean;
  maySetPassword: boolean;
}

export interface InvitationListed extends invitations.InvitationRow {
  mayChange: boolean;
}

export interface Members {
  members: MemberView[];
  invitations: InvitationListed[];
  /** The roles that who asks may invite to, in this project and in the whole organization. */
  mayInvite: { project: Role[]; organization: Role[] };
}

/** Who may do what in a project, who is asked to, and what of it the person who asks may change. */
export async function listMembers({ sql }: Database, { person, project }: Omit<InProject, "actor">): Promise<Members> {
  const { organizationId, projectId } = project;
  const [own, members, asked, owners] = await Promise.all([
    store.selectStandings(sql, person.userId, organizationId),
    store.selectMembers(sql, organizationId, projectId),
    invitations.selectInvitations(sql, organizationId, projectId),
    store.countOwners(sql, organizationId),
  ]);
  const grantable = (inProject: string | null): Role[] =>
    ROLES.filter((role) => grantProblem(own, { projectId: inProject, role }) === null);
  const standings = await store.selectStandingsOf(
    sql,
    members.map(({ userId }) => userId),
  );
  return {
    members: members.map((member) => {
      const isChangeable = grantProblem(own, member) === null && !(isOwnerOfAll(member) && owners === 1);
      const isYou = member.userId === person.userId;
      return {
        ...member,
        isYou,
        mayBecome: isChangeable ? grantable(member.projectId) : [],
        mayRemove: isChangeable || (isYou && !(isOwnerOfAll(member) && owners === 1)),
        maySetPassword:
          !isYou &&
          maySetPassword(
            own,
            organizationId,
            standings.filter(({ userId }) => userId === member.userId),
          ),
      };
    }),
    invitations: asked.map((invitation) => ({ ...invitation, mayChange: grantProblem(own, invitation) === null })),
    mayInvite: { project: grantable(projectId), organization: grantable(null) },
  };
}

const isOwnerOfAll = ({ projectId, role }: Standing): boolean => projectId === null && role === "Owner";

export interface Wanted {
  email: string;
  role: Role;
  /** The whole organization, or this project alone. */
  scope: "organization" | "project";
}

/** Whom a link is for, and to what. */
export interface Invitee {
  email: string;
  role: Role;
  /** The name of the project, or of the organization. */
  to: string;
}

export type Invited = ({ token: string } & Invitee) | { problems: { pointer: string; message: string }[] };

/** Asks somebody to take part, or asks them again with a new link. Throws Refused where that is not this person's to do. */
export async function invite(database: Database, where: InProject, wanted: Wanted): Promise<Invited> {
  const email = plainEmail(wanted.email);
  const wrong = emailProblem(email);
  if (wrong !== null) return { problems: [{ pointer: "#/email", message: wrong }] };
  const { organizationId, projectId } = where.project;
  const standing: Standing = { projectId: wanted.scope === "organization" ? null : projectId, role: wanted.role };
  return transact(database, async (tx): Promise<Invited> => {
    const own = await ownStandings(tx, where);
    mustGrant(own, standing);
    const before = await invitations.selectInvitationFor(tx, organizationId, standing.projectId, email);
    if (before) mustGrant(own, before);
    const user = await store.selectUserByEmail(tx, email);
    const has = user ? roleIn(await store.selectStandings(tx, user.id, organizationId), standing.projectId) : null;
    if (has !== null && isAtLeast(has, standing.role)) {
      return { problems: [{ pointer: "#/email", message: `${email} is a member already, with the role ${has}. Change it in the list.` }] };
    }
    const { token, hash } = newToken();
    await invitations.upsertInvitation(tx, {
      ...standing,
      organizationId,
      email,
      invitedBy: { userId: where.person.userId, name: where.actor.name },
      tokenHash: hash,
      lastsMs: INVITATION_MS,
    });
    await record(tx, where, standing, { action: "invite", subjectKey: email, difference: created(standing.role) });
    return { token, email, role: standing.role, to: await store.selectName(tx, organizationId, standing.projectId) };
  });
}

/** A new link for an invitation; the one before is worth nothing from then on. Throws Refused. */
export async function inviteAgain(database: Database, where: InProject, id: string): Promise<{ token: string } & Invitee> {
  const { organizationId, projectId } = where.project;
  const invitation = await invitations.selectInvitation(database.sql, organizationId, projectId, id);
  if (invitation === null) throw new Refused(NO_INVITATION);
  const scope = invitation.projectId === null ? "organization" : "project";
  const invited = await invite(database, where, { email: invitation.email, role: invitation.role, scope });
  if ("problems" in invited) throw new Refused(...invited.problems.map(({ message }) => message));
  return invited;
}

const NO_INVITATION = "There is no such invitation any more; it was accepted or withdrawn.";
const NO_MEMBER = "There is no such member in this project any more.";

/** Withdraws an invitation: its link is worth nothing from then on. Throws Refused. */
export async function revokeInvitation(database: Database, where: InProject, id: string): Promise<void> {
  const { organizationId, projectId } = where.project;
  await transact(database, async (tx) => {
    const own = await ownStandings(tx, where);
    const invitation = await invitations.selectInvitation(tx, organizationId, projectId, id);
    if (invitation === null) throw new Refused(NO_INVITATION);
    mustGrant(own, invitation);
    await invitations.deleteInvitation(tx, invitation.id);
    await record(tx, where, invitation, {
      action: "withdraw_invitation",
      subjectKey: invitation.email,
      difference: [{ type: "REMOVE", path: ["role"], oldValue: invitation.role }],
    });
  });
}

/** Gives a member another role, from their next request on. Links about them and of theirs are void then. Throws Refused. */
export async function changeRole(database: Database, where: InProject, membershipId: string, role: Role): Promise<void> {
  await transact(database, async (tx) => {
    const own = await ownStandings(tx, where);
    const member = await memberOf(tx, where, membershipId);
    mustGrant(own, member);
    mustGrant(own, { ...member, role });
    if (member.role === role) return;
    await keepAnOwner(tx, where, member);
    await store.lockPerson(tx, member.userId);
    await store.updateRole(tx, member.id, role);
    await voidLinks(tx, where.project.organizationId, member);
    await record(tx, where, member, {
      action: "update",
      subjectKey: member.email,
      difference: [{ type: "CHANGE", path: ["role"], oldValue: member.role, value: role }],
    });
  });
}

/**
 * Takes a member's role away, from their next request on, with the links about them and of theirs. Who takes part in nothing any more is
 * gone, and their sessions with them; elsewhere they stay signed in. Throws Refused.
 */
export const removeMember = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (own, member) => mustGrant(own, member));

/** Takes one's own role away: everybody may leave but the last Owner. Throws Refused. */
export const leave = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (_, member) => {
    if (member.userId !== where.person.userId) throw new Refused("That is somebody else's membership.");
  });

async function remove(
  database: Database,
  where: InProject,
  membershipId: string,
  check: (own: readonly Standing[], member: store.MemberRow) => void,
): Promise<void> {
  await transact(database, async (tx) => {
    const own = await ownStandings(tx, where);
    const member = await memberOf(tx, where, membershipId);
    check(own, member);
    await keepAnOwner(tx, where, member);
    await record(tx, where, member, {
      action: "remove",
      subjectKey: member.email,
      difference: [{ type: "REMOVE", path: ["role"], oldValue: member.role }],
    });
    await store.lockPerson(tx, member.userId);
    await voidLinks(tx, where.project.organizationId, member);
    await store.deleteMembership(tx, member.id, member.userId);
  });
}

/** A member whose password who asks may set; held until the end of the transaction. Throws Refused. */
export async function memberForReset(tx: Transaction, where: InProject, membershipId: string): Promise<store.MemberRow> {
  const own = await ownStandings(tx, where);
  const member = await memberOf(tx, where, membershipId);
  if (member.userId === where.person.userId) throw new Refused("Change your own password on the page of your account.");
  await store.lockPerson(tx, member.userId);
  if (!maySetPassword(own, where.project.organizationId, await store.selectStandingsOf(tx, [member.userId]))) {
    throw new Refused(`${member.email} has roles that are not yours to give, so their password is not yours to set. Ask an Owner.`);
  }
  return member;
}

/** What who asks may do, with the organization's members held still. */
async function ownStandings(tx: Transaction, { person, project }: InProject): Promise<Standing[]> {
  await store.lockOrganization(tx, project.organizationId);
  return store.selectStandings(tx, person.userId, project.organizationId);
}

async function memberOf(tx: Transaction, { project }: InProject, membershipId: string): Promise<store.MemberRow> {
  const member = await store.selectMember(tx, project.organizationId, project.projectId, membershipId);
  if (member === null) throw new Refused(NO_MEMBER);
  return member;
}

function mustGrant(own: readonly Standing[], standing: Standing): void {
  const problem = grantProblem(own, standing);
  if (problem !== null) throw new Refused(problem);
}

/** Without an Owner nobody could ever make one again. */
async function keepAnOwner(tx: Transaction, { project }: InProject, member: Standing): Promise<void> {
  if (!isOwnerOfAll(member) || (await store.countOwners(tx, project.organizationId)) > 1) return;
  throw new Refused("This is the last Owner of the organization. Make somebody else an Owner first.");
}

const record = (
  tx: Transaction,
  { actor, project }: InProject,
  { projectId }: Standing,
  entry: { action: string; subjectKey: string; difference: unknown },
): Promise<void> => recordAboutMember(tx, { organizationId: project.organizationId, projectId }, { actor, ...entry });
