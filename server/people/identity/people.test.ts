import { expect, test, vi } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { acceptAs, acceptWithNewAccount, findInvitation, invite, inviteAgain, revokeInvitation } from "./invite.ts";
import { changePassword } from "./change-password.ts";
import { changeRole, leaveProject, listMembers, removeMember } from "./members.ts";
import { createUser } from "./accounts.ts";
import { endSession, findPerson, signOut } from "./sessions.ts";
import { findAccess } from "./find-access.ts";
import { findReset, makeReset, requestReset, resetPassword } from "./reset.ts";
import { ensureOrganization } from "../projects/projects.ts";
import { signIn, signInByProvider } from "./sign-in.ts";
import { BROWSER, PASSWORD, testPeople, unique } from "./testing.ts";

// The cost of a hash is tested in passwords.test.ts.
vi.mock(import("../../model/identity/passwords.ts"), async (original) => {
  const real = await original();
  return { ...real, hashPassword: (password, salt) => real.hashPassword(password, salt, { N: 1024, r: 8, p: 1 }) };
});

const database = await testDatabase();
const { sql } = database;

const { organization, person, member, roles, log, invited, accept } = testPeople(database);

test("an invitation makes an account that can sign in, once, and is in the audit log", async () => {
  const place = await organization();
  const owner = await person(place, "Owner");
  const email = unique("ann");
  const token = await invited(owner.where, ` ${email.toUpperCase()} `, "Editor");
  expect(await findInvitation(database, token)).toMatchObject({ email, role: "Editor", invitedBy: owner.email, project: null });
  const accepted = await Promise.all([accept(token), accept(token)]);
  expect(accepted.filter((one) => "sessionId" in one)).toHaveLength(1);
  expect(await roles(place)).toMatchObject({ [email]: "Editor" });
  expect(await signIn(database, { email, password: PASSWORD }, BROWSER)).toHaveProperty("sessionId");
  expect(await findInvitation(database, token)).toBeNull();
  expect(await log(place)).toEqual([`${owner.email} invite ${email}`, `${email} join ${email}`]);
});

test("an invitation with a lower role in Live gives both, and joining again keeps the highest in each", async () => {
  const place = await organization();
  const owner = await person(place, "Owner");
  const email = unique("ann");
  const inLive = async () =>
    (await sql`select m.role, m.live_role from memberships m join users u on u.id = m.user_id where u.email = ${email}`)[0];
  const first = await invite(database, owner.where, { email, role: "Editor", liveRole: "Viewer", scope: "organization" });
  const { token } = first as { token: string };
  expect(await findInvitation(database, token)).toMatchObject({ role: "Editor", liveRole: "Viewer" });
  await accept(token);
  expect(await inLive()).toEqual({ role: "Editor", liveRole: "Viewer" });
  const { members } = await listMembers(database, owner.where);
  const { id, userId } = members.find((one) => one.email === email)!;
  // Their roles cover this role in the Sandbox alone.
  const second = await invite(database, owner.where, { email, role: "Support", scope: "organization" });
  await acceptAs(database, (second as { token: string }).token, { userId });
  expect(await inLive()).toEqual({ role: "Editor", liveRole: "Support" });
  await changeRole(database, owner.where, id, { role: "Support", liveRole: "Support" });
  expect(await inLive(), "only a lower one is kept").toEqual({ role: "Support", liveRole: null });
});

test("an Admin with a lower role in Live cannot raise themselves or another account there", async () => {
  const place = await organization();
  const [owner, admin, other] = [await person(place, "Owner"), await person(place, "Admin"), await person(place, "Viewer")];
  await changeRole(database, owner.where, admin.membershipId, { role: "Admin", liveRole: "Viewer" });
  const refused = [
    () => changeRole(database, admin.where, admin.membershipId, { role: "Admin", liveRole: null }),
    () => changeRole(database, admin.where, other.membershipId, { role: "Editor", liveRole: null }),
    () => invite(database, admin.where, { email: unique("x"), role: "Editor", scope: "organization" }),
  ];
  for (const attempt of refused) await expect(attempt(), attempt.toString()).rejects.toThrow("Your role in Live is Viewer");
  await changeRole(database, admin.where, other.membershipId, { role: "Editor", liveRole: "Viewer" });
  expect(await roles(place)).toMatchObject({ [other.email]: "Editor" });
});

test("a change of one role keeps what another Admin did to the rest, and says what it replaced", async () => {
  const place = await organization();
  const [owner, bob] = [await person(place, "Owner"), await person(place, "Editor")];
  const change = (wanted: Parameters<typeof changeRole>[3]) => changeRole(database, owner.where, bob.membershipId, wanted);
  expect(await change({ approves: true })).toMatchObject({ role: "Editor", liveRole: null, was: { approves: false } });
  // Both from pages that show an Editor who approves.
  const changes = await Promise.all([change({ liveRole: "Viewer" }), change({ role: "Admin" })]);
  const is = { role: "Admin", liveRole: "Viewer", approves: false };
  expect((await listMembers(database, owner.where)).members).toContainEqual(expect.objectContaining({ id: bob.membershipId, ...is }));
  expect(changes.map(({ was }) => was)).toContainEqual(expect.objectContaining({ role: "Editor" }));
  await change({ role: "Viewer" });
  await expect(change({ approves: true }), "they are no Editor any more").rejects.toThrow("Only an Editor of Live");
  expect(await change({ liveRole: "Editor" }), "is no lower role any more").toMatchObject({ role: "Viewer", liveRole: null, was: {} });
});

test("only the hash of a link's token is stored", async () => {
  const owner = await person(await organization(), "Owner");
  const token = await invited(owner.where, unique("ann"), "Editor");
  const [row] = await sql<{ all: string }[]>`select string_agg(i::text, '') as all from invitations i`;
  expect(row!.all).not.toContain(token);
});

test("an invitation to one project opens that project alone", async () => {
  const place = await organization();
  const owner = await person(place, "Owner");
  const email = unique("ann");
  const token = await invited(owner.where, email, "Editor", "project");
  await sql`update invitations set expires_at = expires_at - interval '6 days 23 hours' where email = ${email}`;
  await accept(token);
  const rows = await sql`select m.project_id as id from memberships m join users u on u.id = m.user_id where u.email = ${email}`;
  expect(rows.map(({ id }) => id)).toEqual([place.projectId]);
});

test("an invitation ends after seven days, on withdrawal, and when a newer one is made", async () => {
  const place = await organization();
  const owner = await person(place, "Owner");
  const email = unique("ann");
  const first = await invited(owner.where, email, "Editor");
  const second = await invited(owner.where, email, "Viewer");
  expect(await accept(first)).toHaveProperty("refusal");
  await sql`update invitations set expires_at = expires_at - interval '7 days' where email = ${email}`;
  expect(await accept(second)).toHaveProperty("refusal");
  const { invitations: listed } = await listMembers(database, owner.where);
  expect(listed).toMatchObject([{ email, isExpired: true }]);
  const third = (await inviteAgain(database, owner.where, listed[0]!.id)).token;
  await revokeInvitation(database, owner.where, listed[0]!.id);
  expect(await accept(third)).toHaveProperty("refusal");
  expect(await accept("x".repeat(43))).toHaveProperty("refusal");
  expect(Object.keys(await roles(place))).toEqual([owner.email]);
});

test("an invitation's link opens no existing account; a signed-in person joins with it and keeps their roles", async () => {
  const [one, two] = [await organization(), await organization()];
  const admin = await person(one, "Admin");
  const owner = await person(two, "Owner");
  const token = await invited(owner.where, admin.email, "Viewer");
  expect(await accept(token)).toMatchObject({ refusal: expect.stringContaining("has an account") });
  await acceptAs(database, token, admin);
  expect(await roles(two)).toMatchObject({ [admin.email]: "Viewer" });
  expect(await roles(one)).toMatchObject({ [admin.email]: "Admin" });
  const lower = await invited(owner.where, unique("owner2"), "Viewer");
  await acceptAs(database, lower, owner);
  expect(await roles(two), "an Owner does not become a Viewer by a link").toMatchObject({ [owner.email]: "Owner" });
});

test("the log names the invitation that an account of another address used, and its maker", async () => {
  const [place, elsewhere] = [await organization(), await organization()];
  const [owner, admin] = [await person(place, "Owner"), await person(place, "Admin")];
  const mallory = await person(elsewhere, "Viewer");
  const [ann, bob] = [unique("ann"), unique("bob")];
  await invited(owner.where, bob, "Editor");
  await acceptAs(database, await invited(admin.where, ann, "Editor"), mallory);
  const entries = await sql`
    select actor, difference from audit_log where project_id = ${place.projectId} and action = 'join'`;
  const set = (path: string, value: string) => ({ type: "CREATE", path: [path], value });
  expect(entries).toEqual([
    { actor: mallory.email, difference: [set("role", "Editor"), set("invited", ann), set("invitedBy", admin.email)] },
  ]);
});

test("a weak password is refused and leaves the invitation open", async () => {
  const owner = await person(await organization(), "Owner");
  const email = unique("ann");
  const token = await invited(owner.where, email, "Editor");
  for (const password of ["short", "aaaaaaaaaaaa", "1234567890", email])
    expect(await acceptWithNewAccount(database, token, password, BROWSER), password).toHaveProperty("problem");
  expect(await accept(token)).toHaveProperty("sessionId");
});

test("Admins manage members but not Owners; Editors and Viewers manage no one", async () => {
  const place = await organization();
  const [owner, admin, editor] = [await person(place, "Owner"), await person(place, "Admin"), await person(place, "Editor")];
  const refused = [
    () => invite(database, admin.where, { email: unique("x"), role: "Owner", scope: "organization" }),
    () => changeRole(database, admin.where, editor.membershipId, { role: "Owner", liveRole: null }),
    () => changeRole(database, admin.where, admin.membershipId, { role: "Owner", liveRole: null }),
    () => changeRole(database, admin.where, owner.membershipId, { role: "Viewer", liveRole: null }),
    () => removeMember(database, admin.where, owner.membershipId),
    () => makeReset(database, admin.where, owner.membershipId),
    () => invite(database, editor.where, { email: unique("x"), role: "Viewer", scope: "project" }),
    () => removeMember(database, editor.where, admin.membershipId),
    () => leaveProject(database, editor.where, admin.membershipId),
  ];
  const before = await roles(place);
  for (const attempt of refused) await expect(attempt(), attempt.toString()).rejects.toThrow(OperatorError);
  expect(await roles(place)).toEqual(before);
  await changeRole(database, admin.where, editor.membershipId, { role: "Admin", liveRole: null });
  expect(await roles(place)).toMatchObject({ [editor.email]: "Admin" });
});

test("an Admin cannot take over an Owner's invitation", async () => {
  const place = await organization();
  const [owner, admin] = [await person(place, "Owner"), await person(place, "Admin")];
  const email = unique("next-owner");
  await invited(owner.where, email, "Owner");
  await expect(invite(database, admin.where, { email, role: "Viewer", scope: "organization" })).rejects.toThrow("Only an Owner");
  const { invitations: listed } = await listMembers(database, admin.where);
  await expect(revokeInvitation(database, admin.where, listed[0]!.id)).rejects.toThrow(OperatorError);
  await expect(inviteAgain(database, admin.where, listed[0]!.id)).rejects.toThrow(OperatorError);
});

test("a project's Admin cannot manage the organization or another project", async () => {
  const [place, other] = [await organization(), await organization()];
  const [owner, admin] = [await person(place, "Owner"), await person(place, "Admin", true)];
  const [stranger, everywhere] = [await person(other, "Viewer"), await person(place, "Viewer")];
  const refused = [
    () => invite(database, admin.where, { email: unique("x"), role: "Viewer", scope: "organization" }),
    () => changeRole(database, admin.where, everywhere.membershipId, { role: "Editor", liveRole: null }),
    () => removeMember(database, admin.where, everywhere.membershipId),
    () => changeRole(database, owner.where, stranger.membershipId, { role: "Editor", liveRole: null }),
    () => removeMember(database, owner.where, stranger.membershipId),
    () => makeReset(database, owner.where, stranger.membershipId),
  ];
  for (const attempt of refused) await expect(attempt(), attempt.toString()).rejects.toThrow(OperatorError);
});

test("the last Owner cannot be removed", async () => {
  const place = await organization();
  const last = await person(place, "Owner");
  await person(place, "Owner", true);
  await expect(leaveProject(database, last.where, last.membershipId)).rejects.toThrow("last Owner");
  await expect(changeRole(database, last.where, last.membershipId, { role: "Admin", liveRole: null })).rejects.toThrow("last Owner");
  expect(await roles(place)).toMatchObject({ [last.email]: "Owner" });
});

test("one Owner stays when two take each other's role concurrently", async () => {
  const places = await Promise.all(Array.from({ length: 12 }, organization));
  const pairs = await Promise.all(
    places.map(async (place) => ({ place, one: await person(place, "Owner"), two: await person(place, "Owner") })),
  );
  for (const { place, one, two } of pairs) {
    const both = await Promise.allSettled([
      changeRole(database, one.where, two.membershipId, { role: "Viewer", liveRole: null }),
      removeMember(database, two.where, one.membershipId),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(Object.values(await roles(place)).filter((role) => role === "Owner")).toHaveLength(1);
  }
});

test("a removed member's sessions end immediately, with the invitations to and from them", async () => {
  const place = await organization();
  const [owner, admin] = [await person(place, "Owner"), await person(place, "Admin")];
  await invited(admin.where, unique("friend"), "Admin");
  await invited(owner.where, admin.email, "Owner", "project");
  expect(await findPerson(database, admin.sessionId)).toMatchObject({ email: admin.email });
  await removeMember(database, owner.where, admin.membershipId);
  expect(await findPerson(database, admin.sessionId)).toBeNull();
  expect((await listMembers(database, owner.where)).invitations).toEqual([]);
  const left = await sql`select from users where id = ${admin.userId}`;
  expect(left, "a person without a membership is deleted").toHaveLength(0);
});

test("a person removed from one of two organizations keeps their account and session", async () => {
  const [one, two] = [await organization(), await organization()];
  const owner = await person(one, "Owner");
  const admin = await person(one, "Admin");
  const there = await member(admin.userId, two, "Viewer");
  await removeMember(database, owner.where, admin.membershipId);
  const here = (await findPerson(database, admin.sessionId))!;
  expect(here).toMatchObject({ email: admin.email });
  expect(await findAccess(database, here, one.projectSlug, "sandbox"), "from the next request on").toBeNull();
  expect(await findAccess(database, here, two.projectSlug, "sandbox")).toMatchObject({ roles: { sandbox: "Viewer" } });
  await leaveProject(database, { ...admin.where, project: two }, there);
  expect(await findPerson(database, admin.sessionId), "who takes part in nothing is signed out").toBeNull();
});

test("a person removed from both organizations concurrently is deleted", async () => {
  const [one, two] = [await organization(), await organization()];
  const owners = [await person(one, "Owner"), await person(two, "Owner")];
  for (let round = 0; round < 8; round++) {
    const ann = await person(one, "Viewer");
    const there = await member(ann.userId, two, "Viewer");
    await Promise.all([removeMember(database, owners[0]!.where, ann.membershipId), removeMember(database, owners[1]!.where, there)]);
    expect(await sql`select from users where id = ${ann.userId}`, "no person is left without a membership").toHaveLength(0);
  }
});

test("a link for a new password works once, ends every session, and is refused for members of other organizations", async () => {
  const [place, other] = [await organization(), await organization()];
  const [owner, editor] = [await person(place, "Owner"), await person(place, "Editor")];
  const { token } = await makeReset(database, owner.where, editor.membershipId);
  await sql`update password_resets set expires_at = expires_at - interval '23 hours' where user_id = ${editor.userId}`;
  expect(await findReset(database, token)).toEqual({ email: editor.email });
  const set = () => resetPassword(database, token, PASSWORD, BROWSER);
  const both = await Promise.all([set(), set()]);
  expect(both.filter((one) => "sessionId" in one)).toHaveLength(1);
  expect(await findPerson(database, editor.sessionId)).toBeNull();
  expect(await signIn(database, { email: editor.email, password: PASSWORD }, BROWSER)).toHaveProperty("sessionId");
  await sql`insert into memberships (user_id, organization_id, role) values (${editor.userId}, ${other.organizationId}, 'Viewer')`;
  await expect(makeReset(database, owner.where, editor.membershipId)).rejects.toThrow("not yours");
});

test("a forgotten password is reset by a mailed link; unknown addresses get none, and mails are limited", async () => {
  const editor = await person(await organization(), "Editor");
  const ask = (email: string) => requestReset(database, email, null);
  const links = [await ask(editor.email.toUpperCase()), await ask(editor.email), await ask(editor.email), await ask(editor.email)];
  expect(links.map((link) => link?.email ?? null)).toEqual([editor.email, editor.email, editor.email, null]);
  expect(await ask(unique("stranger"))).toBeNull();
});

test("changing the password ends the other sessions and requires the current password", async () => {
  const place = await organization();
  const { email, password } = await createUser(database, { email: unique("ann"), role: "Editor", projectSlug: place.projectSlug });
  const enter = async () => (await signIn(database, { email, password }, BROWSER)) as { sessionId: string };
  const [here, there] = [await enter(), await enter()];
  const ann = (await findPerson(database, here.sessionId))!;
  expect(await changePassword(database, ann, { current: "wrong", next: PASSWORD })).toMatchObject([{ pointer: "#/current" }]);
  expect(await changePassword(database, ann, { current: password, next: "short" })).toMatchObject([{ pointer: "#/next" }]);
  expect(await changePassword(database, ann, { current: password, next: PASSWORD })).toEqual([]);
  expect(await findPerson(database, here.sessionId)).not.toBeNull();
  expect(await findPerson(database, there.sessionId)).toBeNull();
  expect(await signIn(database, { email, password }, BROWSER)).toHaveProperty("refusal");
  expect(await log(place)).toContain(`${email} change_password ${email}`);
});

test("another person's sessions cannot be ended", async () => {
  const place = await organization();
  const [ann, bob] = [await person(place, "Editor"), await person(place, "Owner")];
  expect(await endSession(database, bob, ann.sessionId)).toBe(false);
  expect(await findPerson(database, ann.sessionId)).not.toBeNull();
  expect(await endSession(database, ann, ann.sessionId)).toBe(true);
});

test("signing out deletes the row, and an ended session finds no person", async () => {
  const ann = await person(await organization(), "Editor");
  await signOut(database, ann.sessionId);
  expect(await findPerson(database, ann.sessionId)).toBeNull();
  const bob = await person(await organization(), "Editor");
  await sql`update sessions set expires_at = now() - interval '1 second' where id = ${bob.sessionId}`;
  expect(await findPerson(database, bob.sessionId)).toBeNull();
  expect(await findPerson(database, "no-uuid")).toBeNull();
});

test("a provider signs in only members and invited people, by a verified address", async () => {
  const place = await organization();
  const [owner, editor] = [await person(place, "Owner"), await person(place, "Editor")];
  const enter = (providerAccountId: string, email: string | null) =>
    signInByProvider(database, { provider: "google", providerAccountId, email }, BROWSER);
  expect(await enter("g1", null)).toEqual({ refusal: "no-verified-address" });
  expect(await enter("g1", unique("stranger"))).toEqual({ refusal: "not-a-member" });
  expect(await enter("g1", editor.email.toUpperCase())).toHaveProperty("sessionId");
  // After that the provider's own id counts, whatever the address.
  const again = (await enter("g1", unique("moved"))) as { sessionId: string };
  expect(await findPerson(database, again.sessionId)).toMatchObject({ userId: editor.userId });
  const email = unique("invited");
  await invited(owner.where, email, "Viewer");
  expect(await enter("g2", email)).toHaveProperty("sessionId");
  expect(await roles(place)).toMatchObject({ [email]: "Viewer" });
});

test("an address used by one account of a provider is refused to another account there, but not to another provider", async () => {
  const editor = await person(await organization(), "Editor");
  const enter = (provider: string, providerAccountId: string) =>
    signInByProvider(database, { provider, providerAccountId, email: editor.email }, BROWSER);
  const together = await Promise.all([enter("oidc:a", editor.email), enter("oidc:a", editor.email)]);
  for (const signedIn of together) expect(signedIn).toHaveProperty("sessionId");
  expect(await enter("oidc:a", `other ${editor.email}`)).toEqual({ refusal: "another-account" });
  expect(await enter("oidc:b", editor.email)).toHaveProperty("sessionId");
});

test("a configured domain makes its people members of the first organization, once; its subdomains and look-alikes do not", async () => {
  const first = await ensureOrganization(sql);
  const joining = { domains: ["acme.example"], role: "Support" as const };
  const enter = (email: string, as = email) =>
    signInByProvider(database, { provider: "oidc:a", providerAccountId: as, email }, BROWSER, joining);
  const own = `${unique("ann").split("@")[0]}@acme.example`;
  for (const signedIn of await Promise.all([enter(own), enter(own.toUpperCase(), own)])) expect(signedIn).toHaveProperty("sessionId");
  const [member] = await sql`
    select m.role, m.organization_id, m.project_id from memberships m join users u on u.id = m.user_id where u.email = ${own}`;
  expect(member).toEqual({ role: "Support", organizationId: first.id, projectId: null });
  for (const email of ["ann@it.acme.example", "ann@notacme.example", "ann@acme.example@evil.example", "ann@acme.example."])
    expect(await enter(email), email).toEqual({ refusal: "not-a-member" });
});
