import { describe, expect, test, vi } from "vitest";
import type { Transaction } from "#db/client.ts";
import { testDatabase } from "#db/testing.ts";
import type { InProject } from "../../model/kernel/environment.ts";
import * as invitations from "./invite.ts";
import { findInvitation } from "./invite.ts";
import { changePassword } from "./change-password.ts";
import { changeRole, leaveProject, listMembers, removeMember } from "./members.ts";
import { createUser } from "./accounts.ts";
import { findPerson } from "./sessions.ts";
import * as accounts from "./reset.ts";
import { findReset, makeReset, requestReset } from "./reset.ts";
import { signIn, signInByProvider } from "./sign-in.ts";
import { createToken, findTokenHolder } from "../tokens/tokens.ts";
import { BROWSER, PASSWORD, testPeople, unique } from "./testing.ts";

// The cost of a hash is tested in passwords.test.ts.
vi.mock(import("../../model/identity/passwords.ts"), async (original) => {
  const real = await original();
  return { ...real, hashPassword: (password, salt) => real.hashPassword(password, salt, { N: 1024, r: 8, p: 1 }) };
});

const database = await testDatabase();
const { sql } = database;
const { organization, person, member, roles, log, invited, accept, untilWaiting } = testPeople(database);

const reset = (token: string) => accounts.resetPassword(database, token, PASSWORD, BROWSER);
const linkFor = async (maker: { where: InProject }, subject: { membershipId: string }) =>
  (await makeReset(database, maker.where, subject.membershipId)).token;
const byGoogle = (email: string | null, providerAccountId = unique("google")) =>
  signInByProvider(database, { provider: "google", providerAccountId, email }, BROWSER);
const enter = (email: string, password: string) => signIn(database, { email, password }, BROWSER);

async function isDead(token: string): Promise<void> {
  expect(await findReset(database, token)).toBeNull();
  expect(await reset(token)).toHaveProperty("refusal");
}

describe("a link for a new password", () => {
  test("made by an Admin is void once its Editor becomes Owner, and stays void when they are no longer Owner", async () => {
    const place = await organization();
    const [owner, admin, editor] = [await person(place, "Owner"), await person(place, "Admin"), await person(place, "Editor")];
    const token = await linkFor(admin, editor);
    await changeRole(database, owner.where, editor.membershipId, { role: "Owner", liveRole: null });
    await isDead(token);
    await changeRole(database, owner.where, editor.membershipId, { role: "Editor", liveRole: null });
    await isDead(token);
    expect(await findPerson(database, editor.sessionId), "no session has ended").not.toBeNull();
  });

  test("to an Editor who approves changes of Live takes an Admin of Live, and one made before is void", async () => {
    const place = await organization();
    const [owner, admin, editor] = [await person(place, "Owner"), await person(place, "Admin"), await person(place, "Editor")];
    await changeRole(database, owner.where, admin.membershipId, { role: "Admin", liveRole: "Editor" });
    const token = await linkFor(admin, editor);
    await changeRole(database, owner.where, editor.membershipId, { role: "Editor", liveRole: null, approves: true });
    await isDead(token);
    await expect(linkFor(admin, editor)).rejects.toThrow("not yours to set");
    const seen = (await listMembers(database, admin.where)).members.find(({ userId }) => userId === editor.userId);
    expect(seen).toMatchObject({ approves: true, maySetPassword: false });
  });

  test("is void once its maker has another role, is removed or leaves", async () => {
    const place = await organization();
    const [owner, editor] = [await person(place, "Owner"), await person(place, "Editor")];
    const ends: ((admin: Awaited<ReturnType<typeof person>>) => Promise<unknown>)[] = [
      (admin) => changeRole(database, owner.where, admin.membershipId, { role: "Viewer", liveRole: null }),
      (admin) => removeMember(database, owner.where, admin.membershipId),
      (admin) => leaveProject(database, admin.where, admin.membershipId),
    ];
    for (const end of ends) {
      const admin = await person(place, "Admin");
      const token = await linkFor(admin, editor);
      await end(admin);
      await isDead(token);
    }
  });

  test("is void once its person joins anywhere, even in another organization", async () => {
    const [place, other] = [await organization(), await organization()];
    const [admin, editor, stranger] = [await person(place, "Admin"), await person(place, "Editor"), await person(other, "Owner")];
    const token = await linkFor(admin, editor);
    await invitations.acceptAs(database, await invited(stranger.where, unique("any"), "Owner"), editor);
    expect(await roles(other)).toMatchObject({ [editor.email]: "Owner" });
    await isDead(token);
  });

  test("is checked again when it is used, and refused however its maker lost the right to make it", async () => {
    const place = await organization();
    const [admin, editor] = [await person(place, "Admin"), await person(place, "Editor")];
    const token = await linkFor(admin, editor);
    // No verb of the service voids the link here: only the check on use can refuse it.
    await sql`update memberships set role = 'Viewer' where id = ${admin.membershipId}`;
    await isDead(token);
    await sql`update memberships set role = 'Admin' where id = ${admin.membershipId}`;
    const second = await linkFor(admin, editor);
    await member(editor.userId, await organization(), "Viewer");
    await isDead(second);
  });

  test("that loses its race with a change of role sets nothing, and one that wins has ended when it is changed", async () => {
    for (const isFirst of [true, false]) {
      const place = await organization();
      const [owner, admin, editor] = [await person(place, "Owner"), await person(place, "Admin"), await person(place, "Editor")];
      const token = await linkFor(admin, editor);
      const promote = () => changeRole(database, owner.where, editor.membershipId, { role: "Owner", liveRole: null });
      const [used, promoted] = await inTurns(
        place.organizationId,
        isFirst ? [() => reset(token), promote] : [promote, () => reset(token)],
        isFirst,
      );
      expect(promoted).toMatchObject({ was: { role: "Editor" } });
      expect(used).toHaveProperty(isFirst ? "sessionId" : "refusal");
      expect(await roles(place)).toMatchObject({ [editor.email]: "Owner" });
    }
  });

  test("made by an Admin and one requested by mail do not replace each other; each maker has one", async () => {
    const place = await organization();
    const [owner, admin, editor] = [await person(place, "Owner"), await person(place, "Admin"), await person(place, "Editor")];
    const [first, ofAdmin, ofOwner] = [await linkFor(admin, editor), await linkFor(admin, editor), await linkFor(owner, editor)];
    const mailed = (await requestReset(database, editor.email, null))!.token;
    await isDead(first);
    for (const token of [ofAdmin, ofOwner, mailed]) expect(await findReset(database, token)).toEqual({ email: editor.email });
    const fresh = await linkFor(admin, editor);
    expect(await findReset(database, mailed)).not.toBeNull();
    expect(await reset(fresh)).toHaveProperty("sessionId");
    for (const token of [ofAdmin, ofOwner, mailed]) await isDead(token);
  });

  test("is refused for members of organizations where the Admin has no rights, also if they joined later", async () => {
    const [place, other] = [await organization(), await organization()];
    const [admin, editor] = [await person(place, "Admin"), await person(place, "Editor")];
    const stranger = await person(other, "Owner");
    const [both] = [await person(place, "Viewer")];
    await member(both.userId, other, "Viewer", true);
    await expect(linkFor(admin, both)).rejects.toThrow("not yours");
    const token = await linkFor(admin, editor);
    await invitations.acceptAs(database, await invited(stranger.where, editor.email, "Viewer", "project"), editor);
    await isDead(token);
    await expect(linkFor(admin, editor)).rejects.toThrow("not yours");
  });

  test("requested by the person depends on no role", async () => {
    const editor = await person(await organization(), "Editor");
    const { token } = (await requestReset(database, editor.email, null))!;
    expect(await reset(token)).toHaveProperty("sessionId");
  });
});

describe("an invitation", () => {
  test("made by an Admin is void once they are demoted, removed or leave", async () => {
    const place = await organization();
    const owner = await person(place, "Owner");
    const ends: ((admin: Awaited<ReturnType<typeof person>>) => Promise<unknown>)[] = [
      (admin) => changeRole(database, owner.where, admin.membershipId, { role: "Viewer", liveRole: null }),
      (admin) => removeMember(database, owner.where, admin.membershipId),
      (admin) => leaveProject(database, admin.where, admin.membershipId),
    ];
    for (const end of ends) {
      const admin = await person(place, "Admin");
      const email = unique("friend");
      const tokens = [await invited(admin.where, email, "Admin"), await invited(admin.where, email, "Viewer", "project")];
      await end(admin);
      for (const token of tokens) {
        expect(await findInvitation(database, token)).toBeNull();
        expect(await accept(token)).toHaveProperty("refusal");
      }
      expect(await byGoogle(email)).toEqual({ refusal: "not-a-member" });
    }
    expect((await listMembers(database, owner.where)).invitations).toEqual([]);
  });

  test("is checked again when it is used, and refused however its maker lost the right to make it", async () => {
    const place = await organization();
    const [admin, viewer] = [await person(place, "Admin"), await person(await organization(), "Viewer")];
    const [email, token] = [unique("friend"), await invited(admin.where, unique("x"), "Viewer")];
    const asked = await invited(admin.where, email, "Viewer");
    await sql`update memberships set role = 'Editor' where id = ${admin.membershipId}`;
    expect(await accept(token)).toHaveProperty("refusal");
    expect(await invitations.acceptAs(database, asked, viewer)).toHaveProperty("refusal");
    expect(await byGoogle(email)).toEqual({ refusal: "not-a-member" });
    expect(Object.keys(await roles(place))).toEqual([admin.email]);
  });

  test("by a project's Admin is void once they are no longer Admin there", async () => {
    const place = await organization();
    const [owner, admin] = [await person(place, "Owner"), await person(place, "Admin", true)];
    const token = await invited(admin.where, unique("friend"), "Editor", "project");
    await changeRole(database, owner.where, admin.membershipId, { role: "Editor", liveRole: null });
    await member(admin.userId, place, "Viewer");
    expect(await accept(token)).toHaveProperty("refusal");
  });

  test("that loses its race with its maker's demotion gives no role", async () => {
    const place = await organization();
    const [owner, admin] = [await person(place, "Owner"), await person(place, "Admin")];
    const email = unique("friend");
    const token = await invited(admin.where, email, "Admin");
    const demote = () => changeRole(database, owner.where, admin.membershipId, { role: "Viewer", liveRole: null });
    const [accepted] = await inTurns(place.organizationId, [demote, () => accept(token)], false);
    expect(accepted).toHaveProperty("refusal");
    expect(await roles(place)).not.toHaveProperty(email);
  });

  test("stays open when its person joins another scope of the organization, and so do those that they sent", async () => {
    const place = await organization();
    const [owner, sender] = [await person(place, "Owner"), await person(place, "Admin", true)];
    const email = unique("ann");
    const asked = await invited(owner.where, email, "Admin", "project");
    await accept(await invited(owner.where, email, "Viewer"));
    expect(await findInvitation(database, asked)).toMatchObject({ email, role: "Admin" });
    const sent = await invited(sender.where, unique("friend"), "Viewer", "project");
    await invitations.acceptAs(database, await invited(owner.where, sender.email, "Viewer"), sender);
    expect(await accept(sent)).toHaveProperty("sessionId");
  });

  test("is void once its person joins the same scope in another way, or their role changes", async () => {
    const place = await organization();
    const [owner, ann] = [await person(place, "Owner"), await person(await organization(), "Viewer")];
    const { email } = ann;
    const asked = await invited(owner.where, email, "Admin");
    await invitations.acceptAs(database, await invited(owner.where, unique("any"), "Viewer"), ann);
    expect(await findInvitation(database, asked)).toBeNull();
    const editor = await person(place, "Editor");
    const raise = await invited(owner.where, editor.email, "Owner", "project");
    await changeRole(database, owner.where, editor.membershipId, { role: "Viewer", liveRole: null });
    expect(await invitations.acceptAs(database, raise, editor)).toHaveProperty("refusal");
    expect(await roles(place)).toMatchObject({ [email]: "Viewer", [editor.email]: "Viewer" });
  });

  test("is void once the operator makes its person a member of the same scope", async () => {
    const [place, other] = [await organization(), await organization()];
    const [owner, stranger] = [await person(place, "Owner"), await person(other, "Owner")];
    const email = unique("ann");
    const [here, wider] = [await invited(owner.where, email, "Admin", "project"), await invited(owner.where, email, "Admin")];
    const there = await invited(stranger.where, email, "Admin");
    await createUser(database, { email, role: "Viewer", projectSlug: place.projectSlug });
    expect(await findInvitation(database, here)).toBeNull();
    for (const token of [wider, there]) expect(await findInvitation(database, token), "of another scope").not.toBeNull();
  });
});

describe("an accepted invitation", () => {
  test("takes an Editor's right to approve only with their role of Editor in Live", async () => {
    const place = await organization();
    const [owner, editor] = [await person(place, "Owner"), await person(place, "Editor")];
    const [lower, higher] = [await invited(owner.where, unique("any"), "Viewer"), await invited(owner.where, unique("any"), "Admin")];
    await changeRole(database, owner.where, editor.membershipId, { role: "Editor", liveRole: null, approves: true });
    const row = () => sql`select role, approves from memberships where id = ${editor.membershipId}`;
    await invitations.acceptAs(database, lower, editor);
    expect(await row()).toEqual([{ role: "Editor", approves: true }]);
    await invitations.acceptAs(database, higher, editor);
    expect(await row()).toEqual([{ role: "Admin", approves: false }]);
  });

  test("by a person whose account is removed at that moment is refused in words, and stays open", async () => {
    const [place, other] = [await organization(), await organization()];
    const [owner, editor] = [await person(place, "Owner"), await person(other, "Editor")];
    const token = await invited(owner.where, unique("any"), "Editor");
    const accepted = await sql.begin(async (tx: Transaction) => {
      await tx`delete from memberships where id = ${editor.membershipId}`;
      await tx`delete from users where id = ${editor.userId}`;
      const accepting = invitations.acceptAs(database, token, editor);
      await untilWaiting(1);
      return { accepting };
    });
    expect(await accepted.accepting).toMatchObject({ refusal: expect.stringContaining("Your account was removed") });
    expect(await findInvitation(database, token)).not.toBeNull();
  });
});

describe("a first sign-in with a provider", () => {
  test("ends a password set by the inviter in the person's place, and the sessions that it opened", async () => {
    const place = await organization();
    const owner = await person(place, "Owner");
    const email = unique("bob");
    const impostor = (await accept(await invited(owner.where, email, "Editor"))) as { sessionId: string };
    const before = (await enter(email, PASSWORD)) as { sessionId: string };
    const bob = (await byGoogle(email, "bob")) as { sessionId: string };
    expect(await enter(email, PASSWORD)).toHaveProperty("refusal");
    for (const { sessionId } of [impostor, before]) expect(await findPerson(database, sessionId)).toBeNull();
    expect(await findPerson(database, bob.sessionId)).toMatchObject({ email });
    expect(await log(place)).toContain(`${email} drop_password ${email}`);
    // A password that they set from now on stays.
    const here = (await findPerson(database, bob.sessionId))!;
    expect(await changePassword(database, here, { current: "", next: "another few words" })).toEqual([]);
    await byGoogle(email, "bob");
    await signInByProvider(database, { provider: "github", providerAccountId: email, email }, BROWSER);
    expect(await enter(email, "another few words")).toHaveProperty("sessionId");
  });

  test("keeps a password set by a link mailed only to the address, not one set by a link that an Admin has seen", async () => {
    const place = await organization();
    const admin = await person(place, "Admin");
    const [ann, bob] = [await person(place, "Editor"), await person(place, "Editor")];
    await reset((await requestReset(database, ann.email, null))!.token);
    await reset(await linkFor(admin, bob));
    for (const { email } of [ann, bob]) await byGoogle(email);
    expect(await enter(ann.email, PASSWORD)).toHaveProperty("sessionId");
    expect(await enter(bob.email, PASSWORD)).toHaveProperty("refusal");
  });

  test("ends the tokens made in the person's name", async () => {
    const owner = await person(await organization(), "Owner");
    const email = unique("bob");
    const { sessionId } = (await accept(await invited(owner.where, email, "Editor"))) as { sessionId: string };
    const impostor = (await findPerson(database, sessionId))!;
    const where = { ...owner.where, person: { userId: impostor.userId } };
    const made = await createToken(database, where, { name: "Bob's", role: "Viewer", environment: null, days: 366 });
    if ("problems" in made) throw new Error("There is no token.");
    expect(await findTokenHolder(database, `Bearer ${made.token}`)).toHaveProperty("person");
    await byGoogle(email);
    expect(await findTokenHolder(database, `Bearer ${made.token}`)).toMatchObject({ refusal: expect.stringContaining("was revoked") });
  });

  test.each(["signs in the next time", "has a higher role"])(
    "is not the last safeguard: the session and password of an Admin who opened their own link end once its person %s",
    async (what) => {
      const place = await organization();
      const [owner, admin, bob] = [await person(place, "Owner"), await person(place, "Admin"), await person(place, "Editor")];
      await byGoogle(bob.email, bob.email);
      const stolen = (await reset(await linkFor(admin, bob))) as { sessionId: string };
      expect(await findPerson(database, stolen.sessionId)).not.toBeNull();
      if (what === "has a higher role") await changeRole(database, owner.where, bob.membershipId, { role: "Owner", liveRole: null });
      else await byGoogle(bob.email, bob.email);
      expect(await findPerson(database, stolen.sessionId)).toBeNull();
      expect(await enter(bob.email, PASSWORD)).toHaveProperty("refusal");
    },
  );

  test("lets an invited person in who signs in twice at once, or opens the link meanwhile, and uses up no other invitation", async () => {
    const [place, other] = [await organization(), await organization()];
    const [owner, admin] = [await person(place, "Owner"), await person(other, "Admin")];
    const [ann, bob] = [unique("ann"), unique("bob")];
    const token = await invited(owner.where, bob, "Editor");
    await invited(owner.where, ann, "Editor");
    const elsewhere = await invited(admin.where, bob, "Viewer");
    const ways = [
      [() => byGoogle(ann, "ann"), () => byGoogle(ann, "ann")],
      [() => accept(token), () => byGoogle(bob)],
    ];
    for (const two of ways) for (const one of await inTurns(place.organizationId, two, true)) expect(one).toHaveProperty("sessionId");
    expect(await findInvitation(database, elsewhere)).not.toBeNull();
  });

  test("ends an unconfirmed password even if a person who knew it has changed it", async () => {
    const owner = await person(await organization(), "Owner");
    const email = unique("bob");
    const { sessionId } = (await accept(await invited(owner.where, email, "Editor"))) as { sessionId: string };
    const impostor = (await findPerson(database, sessionId))!;
    expect(await changePassword(database, impostor, { current: PASSWORD, next: "the impostor's own" })).toEqual([]);
    await byGoogle(email);
    expect(await enter(email, "the impostor's own")).toHaveProperty("refusal");
    expect(await findPerson(database, sessionId)).toBeNull();
  });
});

/**
 * Runs two concurrent calls in that order: both wait for the organization's lock until both have begun. Returns the result of using the
 * link or invitation, then the other one.
 */
async function inTurns(organizationId: string, [first, second]: (() => Promise<unknown>)[], isUsedFirst: boolean): Promise<unknown[]> {
  const under: Promise<unknown>[] = [];
  await sql.begin(async (tx: Transaction) => {
    await tx`select from organizations where id = ${organizationId} for update`;
    under.push(first!());
    await untilWaiting(1);
    under.push(second!());
    await untilWaiting(2);
  });
  const [one, two] = await Promise.all(under);
  return isUsedFirst ? [one, two] : [two, one];
}
