import { z } from "zod";
import {
  cursor,
  environmentKind,
  forEnvironment,
  forPerson,
  forProject,
  inEnvironment,
  inProject,
  instantText,
  problems,
} from "../api/contract.dashboard.ts";
import { ROLES } from "../kernel/roles.ts";

export const projectsDashboard = {
  /** Who is asking, and the projects they take part in, in order of creation; with a token, its project alone. */
  me: forPerson({ tokens: "any" }).output(
    z.object({
      email: z.string(),
      projects: z.array(z.object({ slug: z.string(), name: z.string(), role: z.enum(ROLES) })),
    }),
  ),

  /** What every screen of a project stands on: the person's role, the project's settings, and the present in both environments. */
  place: forProject("Viewer", { tokens: "any" })
    .input(inProject)
    .output(
      z.object({
        project: z.string(),
        projectName: z.string(),
        role: z.enum(ROLES),
        timeZone: z.string(),
        defaultLanguage: z.string(),
        now: z.object({ sandbox: instantText, live: instantText }),
        /** Whether the Sandbox's clock was moved away from real time. */
        isClockMoved: z.boolean(),
      }),
    ),

  /** The organizations in which whoever asks may create projects. */
  organizations: forPerson({ tokens: "none" }).output(z.array(z.object({ slug: z.string(), name: z.string() }))),
  /** With its Sandbox and Live, both empty. */
  create: forPerson({ tokens: "none" })
    .input(
      z.object({
        slug: z.string(),
        name: z.string(),
        defaultLanguage: z.string(),
        timeZone: z.string(),
        /** The slug of one of `organizations`. */
        organization: z.string(),
      }),
    )
    .output(z.object({ problems })),
  /** Its keys answer no more and nobody finds it any more; `confirmation` is its slug once again. */
  archive: forProject("Owner", { tokens: "ofBothEnvironments" })
    .input(inProject.extend({ confirmation: z.string() }))
    .output(z.void()),
};

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Its prefix and its last four characters: "svc_sbox_…9f3c". */
  hint: z.string(),
  createdAt: instantText,
  /** To the minute; null before its first use. */
  lastUsedAt: instantText.nullable(),
  revokedAt: instantText.nullable(),
});

const role = z.enum(ROLES);
/** The whole organization, or this project alone. */
const scope = z.enum(["organization", "project"]);

const member = z.object({
  /** Of the membership. */
  id: z.string(),
  email: z.string(),
  role,
  scope,
  isYou: z.boolean(),
  joinedAt: instantText,
  /** Null while they are signed in nowhere. */
  lastSeenAt: instantText.nullable(),
  /** The roles that whoever asks may give them; empty where they may change nothing. */
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

/** A link to hand on, shown this once, and what became of its mail: `null` where no mail server is set. */
const handedOn = z.object({ email: z.string(), link: z.string(), mail: z.object({ isSent: z.boolean() }).nullable() });

/** Who may do what in a project. */
export const membersDashboard = {
  list: forProject("Viewer", { tokens: "none" })
    .input(inProject)
    .output(
      z.object({
        members: z.array(member),
        invitations: z.array(invitation),
        /** The roles that whoever asks may invite to. */
        mayInvite: z.object({ project: z.array(role), organization: z.array(role) }),
      }),
    ),
  /** Asking somebody again makes a new link; the one before is worth nothing then. */
  invite: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ email: z.string().max(1000), role, scope }))
    .output(z.union([handedOn, z.object({ problems })])),
  inviteAgain: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(handedOn),
  withdraw: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
  /** From their next request on. */
  changeRole: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid(), role }))
    .output(z.void()),
  /** Ends their sessions at once. */
  remove: forProject("Admin", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
  /** Whoever asks goes out of the project; of the whole organization where they are a member of that. */
  leave: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
  /** A link by which they set a new password, for a day. */
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
  /** Ends the other sessions. `current` is not looked at where there is no password yet. */
  changePassword: forPerson({ tokens: "none" })
    .input(z.object({ current: z.string().max(1000), next: z.string().max(1000) }))
    .output(z.object({ problems })),
  endSession: forPerson({ tokens: "none" })
    .input(z.object({ id: z.uuid() }))
    .output(z.void()),
  endOtherSessions: forPerson({ tokens: "none" }).output(z.object({ ended: z.int() })),
};

/** Keys of the public API; whoever looks at an environment sees what they are recognised by, Admins make and revoke them. */
export const keysDashboard = {
  /** The newest first, revoked ones too. */
  list: forEnvironment("Viewer").input(inEnvironment).output(z.array(apiKey)),
  /** The key is shown this once. */
  create: forEnvironment("Admin")
    .input(inEnvironment.extend({ name: z.string() }))
    .output(z.object({ key: z.string() })),
  /** From the next request on. */
  revoke: forEnvironment("Admin")
    .input(inEnvironment.extend({ id: z.uuid() }))
    .output(z.void()),
};

const token = z.object({
  id: z.string(),
  /** The address of who made it. */
  maker: z.string(),
  isYours: z.boolean(),
  name: z.string(),
  /** Its prefix and its last four characters: "svc_pat_…9f3c". */
  hint: z.string(),
  /** What it may do at most; never more than its maker may at the moment of a call. */
  role,
  /** Null: both. */
  environment: environmentKind.nullable(),
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
        /** The roles that whoever asks may give to a token, the highest first. */
        mayGive: z.array(role),
      }),
    ),
  /** The token is shown this once. */
  create: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ name: z.string().max(1000), role, environment: environmentKind.nullable(), days: z.number() }))
    .output(z.union([z.object({ token: z.string() }), z.object({ problems })])),
  /** From the next call on: one's own, by Admins and Owners any. */
  revoke: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ id: z.uuid() }))
    .output(z.void()),
};

const projectSettings = z.object({ name: z.string(), defaultLanguage: z.string(), timeZone: z.string() });

/** What the two environments of a project share. */
export const projectSettingsDashboard = {
  read: forProject("Viewer", { tokens: "any" }).input(inProject).output(projectSettings),
  save: forProject("Admin", { tokens: "ofBothEnvironments" }).input(inProject.extend(projectSettings.shape)).output(z.object({ problems })),
};

const auditEntry = z.object({
  id: z.string(),
  at: instantText,
  /** The person's address as it was then, or what else acted. */
  actor: z.string(),
  /** The name of the token that spoke for them; null where they were signed in. */
  token: z.string().nullable(),
  /** Null for what belongs to the whole project. */
  environment: environmentKind.nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectKey: z.string().nullable(),
  /** What stood in each place before and after, as JSON text; null is for what was not there. */
  changes: z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});

const auditFilter = z.object({
  actor: z.string().nullable().default(null),
  action: z.string().nullable().default(null),
  subjectKind: z.string().nullable().default(null),
  subjectKey: z.string().nullable().default(null),
  /** "project": what belongs to no environment. */
  environment: z
    .enum([...environmentKind.options, "project"])
    .nullable()
    .default(null),
  /** From this instant on, and up to but without that one. */
  from: instantText.nullable().default(null),
  until: instantText.nullable().default(null),
});

/** Who changed what, and when. */
export const auditLogDashboard = {
  /** The newest first. */
  list: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject.extend({ ...auditFilter.shape, cursor, take: z.int().min(1).max(500).default(50) }))
    .output(z.object({ entries: z.array(auditEntry), next: z.string().nullable() })),
  /** Who and what there is to filter by. */
  facets: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject)
    .output(z.object({ actors: z.array(z.string()), actions: z.array(z.string()), subjectKinds: z.array(z.string()) })),
};
