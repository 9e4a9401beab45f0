import { randomBytes } from "node:crypto";
import { device, giveFactor, MAKERS, session } from "./access-world.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import {
  type AccessLine,
  made,
  reads,
  writes,
  viewer,
  editor,
  admin,
  account,
  membersOf,
  sensitive,
  beforeFactor,
  ownFactor,
  newKey,
  plus,
  tomorrow,
  nextCurrency,
  newEvent,
  aMember,
  aRequest,
  anInvitation,
  anEvent,
  SVG,
} from "./access-inputs.ts";
import { PLAYER_LINES } from "./access-table-players.ts";
import type { dashboardRouter } from "../rpc/router.ts";

type Paths<Router> = {
  [Domain in keyof Router & string]: `${Domain}.${keyof Router[Domain] & string}`;
}[keyof Router & string];

/** Every procedure of the dashboard; a procedure without a line does not compile, and fails the test. */
export const TABLE: Record<Paths<typeof dashboardRouter>, AccessLine> = {
  "projects.me": { ...account, ...reads, ...beforeFactor, tokens: "any" },
  "projects.place": { ...viewer, ...reads, scope: "project" },
  "projects.organizations": { ...account, ...reads },
  "projects.create": {
    ...{ ...writes, scope: "organization", role: "Admin", tokens: "none" },
    input: async ({ database, own }) => {
      const slug = newKey().replace("_", "-");
      return { slug, name: "New", defaultLanguage: "en", timeZone: "UTC", organization: await MAKERS.organization(database, own) };
    },
    ids: { organization: "organization" },
  },
  "projects.archive": {
    ...{ ...writes, scope: "project", role: "Owner", tokens: "ofBothEnvironments" },
    input: ({ own }) => ({ confirmation: own.slug }),
    undo: ({ database: { sql }, own }) => sql`update projects set archived_at = null where slug = ${own.slug}`,
  },

  "status.read": { ...reads, scope: "project", role: "Owner", tokens: "none" },

  "testProjects.create": { ...{ ...writes, scope: "project", role: "Editor", tokens: "tests" }, input: () => ({}) },
  "testProjects.remove": {
    ...{ ...writes, scope: "project", role: "Editor", tokens: "tests" },
    input: made("slug", "testProject"),
  },

  "members.list": { ...membersOf("Viewer"), ...reads },
  "members.invite": {
    ...{ ...membersOf("Admin"), ...writes, ...sensitive },
    input: () => ({ email: `${newKey()}@example.com`, role: "Viewer", scope: "project" }),
  },
  "members.inviteAgain": { ...membersOf("Admin"), ...writes, ...sensitive, ...anInvitation },
  "members.withdraw": { ...membersOf("Admin"), ...writes, ...sensitive, ...anInvitation },
  "members.changeRole": {
    ...membersOf("Admin"),
    ...writes,
    ...sensitive,
    ...plus(aMember, () => ({ role: "Editor", liveRole: "Support" })),
  },
  "members.remove": { ...membersOf("Admin"), ...writes, ...sensitive, ...aMember },
  // Leaving is for one's own membership; this one is another user's, so it is refused. people.test.ts tests leaving.
  "members.leave": { ...membersOf("Viewer"), ...reads, ...aMember, answers: 422 },
  "members.resetPassword": { ...membersOf("Admin"), ...writes, ...sensitive, ...aMember },
  "members.resetFactor": {
    ...{ ...membersOf("Owner"), ...writes, ...sensitive, ...aMember },
    input: async (world) => {
      const { id } = await aMember.input(world);
      const { sql } = world.database;
      const [member] = await sql<{ userId: string }[]>`select user_id from memberships where id = ${id!}`;
      await giveFactor(sql, member!.userId);
      return { id };
    },
  },

  "security.read": { ...membersOf("Viewer"), ...reads },
  "security.require": {
    ...{ ...membersOf("Owner"), ...writes, ...sensitive },
    // An Owner without a second factor would lock themselves out.
    input: async (world, caller) => ({ ...(await ownFactor.input(world, caller)), requirement: "live" }),
    undo: ({ database: { sql } }) => sql`update organizations set second_factor = null`,
  },

  "account.read": { ...account, ...reads, ...beforeFactor },
  "account.confirm": { ...account, ...writes, ...beforeFactor, input: () => ({ password: "wrong" }) },
  "account.beginSetUp": { ...account, ...writes, ...sensitive, ...beforeFactor },
  "account.finishSetUp": { ...account, ...reads, ...sensitive, ...beforeFactor, input: () => ({ code: "000000" }) },
  "account.renewRecoveryCodes": { ...account, ...writes, ...sensitive, ...ownFactor },
  "account.removeFactor": { ...account, ...writes, ...sensitive, ...ownFactor },
  "account.forgetDevices": {
    ...{ ...account, ...writes },
    input: async ({ database: { sql }, callers }, { userId }) => ({ id: await device(sql, userId ?? callers[0]!.userId!) }),
    ids: { id: "device" },
  },
  // A valid password takes time to hash; this one is refused by validation.
  "account.changePassword": { ...account, ...reads, input: () => ({ current: "", next: "short" }) },
  "account.endSession": {
    ...{ ...account, ...writes },
    input: async ({ database: { sql }, callers }, { userId }) => ({ id: await session(sql, userId ?? callers[0]!.userId!) }),
    ids: { id: "session" },
  },
  "account.endOtherSessions": {
    ...{ ...account, ...writes },
    input: async ({ database: { sql } }, { userId }) => {
      await session(sql, userId!);
      return {};
    },
  },

  "definitions.list": { ...viewer, ...reads, input: () => ({ kind: "missions" }) },
  "definitions.get": { ...viewer, ...reads, ...anEvent },
  "definitions.history": { ...viewer, ...reads, ...anEvent },
  "definitions.compareVersions": { ...viewer, ...reads, ...plus(anEvent, () => ({ from: 0, to: 1 })) },
  "definitions.restoreVersion": {
    ...{ ...editor, ...writes, ...anEvent },
    input: async (world) => {
      const { kind, key } = await anEvent.input(world);
      await importDefinitions(world.database, world.own.environment, { version: 1, events: [{ key, name: "Another name" }] });
      return { kind, key, version: 1 };
    },
  },
  "definitions.catalogue": { ...viewer, ...reads },
  "definitions.save": { ...editor, ...writes, input: newEvent },
  "definitions.check": { ...editor, ...reads, input: newEvent },
  "definitions.previewInOther": { ...editor, ...reads, tokens: "ofBothEnvironments", input: newEvent },
  "definitions.scheduleSave": {
    ...{ ...editor, ...writes },
    input: async (world) => {
      const { kind, key } = await anEvent.input(world);
      return { kind, document: JSON.stringify({ key, name: "Another name" }), revision: null, at: tomorrow() };
    },
  },
  "definitions.scheduled": { ...viewer, ...reads },
  "definitions.applyScheduled": { ...editor, ...writes, input: made("id", "scheduledChange"), ids: { id: "scheduledChange" } },
  "definitions.cancelScheduled": { ...editor, ...writes, input: made("id", "scheduledChange"), ids: { id: "scheduledChange" } },
  "definitions.setActive": { ...editor, ...writes, ...plus(anEvent, () => ({ active: false })) },
  "definitions.setActiveOfMany": {
    ...{ ...editor, ...writes },
    input: async (world) => ({ kind: "events", keys: [(await anEvent.input(world)).key], active: false }),
    ids: { keys: { thing: "definition", as: (key) => [key] } },
  },
  "definitions.remove": { ...editor, ...writes, ...anEvent },
  "definitions.uploadImage": {
    ...{ ...editor, ...writes },
    input: () => ({ bytes: Buffer.from(SVG.replace("T<", `${newKey()}<`)).toString("base64") }),
  },
  "definitions.images": { ...viewer, ...reads },
  "definitions.difference": { ...viewer, ...reads, tokens: "ofBothEnvironments" },
  "definitions.divergence": {
    ...{ ...viewer, ...reads, tokens: "ofBothEnvironments" },
    ...{ input: anEvent.input, ids: { key: { thing: "definition", as: (key) => key, ofBothEnvironments: true } } },
  },
  "definitions.promote": {
    ...{ ...editor, ...writes, tokens: "ofBothEnvironments" },
    input: async ({ database, own }) => ({ chosen: [{ kind: "events", key: await MAKERS.definition(database, own) }], dryRun: false }),
    ids: { chosen: { thing: "definition", as: (key) => [{ kind: "events", key }], ofBothEnvironments: true } },
  },
  "definitions.texts": { ...viewer, ...reads },
  "definitions.translate": {
    ...{ ...editor, ...writes, ...anEvent },
    input: async (world) => ({
      ...(await anEvent.input(world)),
      ...{ pointer: "/name", language: "fr", before: null, after: "Un événement" },
    }),
  },
  "definitions.repairLanguage": {
    ...editor,
    ...writes,
    input: async ({ database, own }) => ({ from: await MAKERS.unknownLanguage(database, own), to: "de" }),
  },
  "definitions.importTexts": {
    ...{ ...editor, ...writes },
    input: async (world) => ({
      text: `kind,key,field,de\nevents,${(await anEvent.input(world)).key},/name,Ein Ereignis`,
      dryRun: false,
    }),
  },
  "definitions.promoteAll": {
    ...{ ...editor, ...writes, tokens: "ofBothEnvironments" },
    input: async ({ database, own }) => {
      await MAKERS.definition(database, own);
      return { dryRun: false };
    },
  },
  "definitions.planFile": {
    ...{ ...viewer, ...reads },
    input: () => ({ text: JSON.stringify({ version: 1, events: [{ key: newKey(), name: "New" }] }) }),
  },
  "definitions.importFile": {
    ...{ ...editor, ...writes },
    input: () => ({ text: JSON.stringify({ version: 1, events: [{ key: newKey(), name: "New" }] }) }),
  },
  "definitions.settings": { ...viewer, ...reads },
  "definitions.saveSettings": {
    ...{ ...editor, ...writes },
    input: () => ({ baseCurrency: nextCurrency() }),
  },

  "changeRequests.list": { ...viewer, ...reads },
  "changeRequests.get": { ...viewer, ...reads, ...aRequest() },
  "changeRequests.document": {
    ...{ ...viewer, ...reads },
    input: async ({ database, own }) => {
      const id = await MAKERS.changeRequest(database, own);
      const [row] = await database.sql<{ subject: string }[]>`select subjects[1] as subject from change_requests where id = ${id}`;
      return { id, kind: "events", key: row!.subject.slice("events/".length) };
    },
    ids: { id: "changeRequest", key: { thing: "definition", as: (key) => key } },
  },
  "changeRequests.comment": { ...editor, ...writes, ...aRequest({ text: "Why?" }) },
  "changeRequests.approve": { ...editor, ...writes, tokens: "none", ...aRequest({ revision: 1 }) },
  "changeRequests.goAlone": {
    ...{ ...editor, ...writes, ...sensitive, role: "Owner", tokens: "none" },
    ...aRequest({ revision: 1, reason: "An outage" }),
  },
  "changeRequests.reject": { ...editor, ...writes, tokens: "none", ...aRequest({ revision: 1, reason: "Too generous" }) },
  "changeRequests.withdraw": {
    ...{ ...editor, ...writes, ids: { id: "changeRequest" } },
    input: async ({ database, own }, { userId }) => {
      const id = await MAKERS.changeRequest(database, own);
      await database.sql`update change_requests set user_id = ${userId} where id = ${id}`;
      return { id };
    },
  },
  "changeRequests.edit": { ...editor, ...writes, ...aRequest({ revision: 1, title: "Another title" }) },

  "projectSettings.read": { ...viewer, ...reads, scope: "project" },
  "projectSettings.guardLive": {
    ...{ ...admin, ...writes, ...sensitive, scope: "project", tokens: "ofBothEnvironments" },
    input: () => ({ isOn: true }),
    undo: ({ database: { sql } }) => sql`update projects set is_live_guarded = false`,
  },
  "projectSettings.save": {
    ...{ ...admin, ...writes, scope: "project", tokens: "ofBothEnvironments" },
    input: () => ({ name: newKey(), defaultLanguage: "en", timeZone: "UTC" }),
  },

  "keys.list": { ...viewer, ...reads },
  "keys.create": { ...admin, ...writes, ...sensitive, input: () => ({ name: "new" }) },
  "keys.revoke": { ...admin, ...writes, ...sensitive, input: made("id", "key"), ids: { id: "key" } },

  "tokens.list": { ...membersOf("Viewer"), ...reads },
  "tokens.create": {
    ...{ ...membersOf("Viewer"), ...writes, ...sensitive },
    input: () => ({ name: "new", role: "Viewer", environment: null, days: 1 }),
  },
  "tokens.current": { ...account, ...reads, ...beforeFactor, tokens: "any" },
  "tokens.end": {
    ...{ ...account, ...writes, tokens: "any" },
    // Restores the callers' tokens, which later calls need. The world has a token revoked before this date; it stays revoked.
    undo: ({ database: { sql } }) => sql`update personal_tokens set revoked_at = null where revoked_at > '2026-01-01T00:00:00Z'`,
  },
  "tokens.approve": {
    ...{ ...membersOf("Viewer"), ...writes, ...sensitive },
    input: () => ({ name: "new", role: "Viewer", environment: null, days: 1, hash: randomBytes(32).toString("hex"), lastFour: "0a1b" }),
  },
  "tokens.revoke": {
    ...{ ...membersOf("Viewer"), ...writes, ...sensitive, ids: { id: "token" } },
    // The caller's own token: those of other users are for Admins (tokens.test.ts).
    input: async ({ database, own }, { userId }) => {
      const id = await MAKERS.token(database, own);
      await database.sql`
        update personal_tokens t set membership_id = m.id from memberships m
        where t.id = ${id} and m.user_id = ${userId} and m.organization_id = ${own.environment.organizationId}`;
      return { id };
    },
  },

  "auditLog.list": { ...viewer, ...reads, scope: "project", tokens: "ofBothEnvironments" },
  "auditLog.changes": {
    ...{ ...viewer, ...reads, scope: "project", tokens: "ofBothEnvironments" },
    ...{ input: made("id", "auditEntry"), ids: { id: "auditEntry" } },
  },
  "auditLog.facets": { ...viewer, ...reads, scope: "project", tokens: "ofBothEnvironments" },

  ...PLAYER_LINES,
};
