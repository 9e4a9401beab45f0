import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { transact } from "#db/client.ts";
import { testDatabase } from "#db/testing.ts";
import { TEST_AUTH_SECRET, testCipher } from "../../delivery/testing.ts";
import { isTicketOf, MAX_REMEMBERED, recoveryHash, ticketKey, ticketOwner, writeTicket } from "../../model/identity/second-factor.ts";
import type { Role } from "../../model/kernel/environment.ts";
import { hashPassword } from "../../model/identity/passwords.ts";
import { tokenHash, writeToken } from "../../model/identity/mails.ts";
import { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { readAccount } from "./accounts.ts";
import { changePassword, endImpostors, renewPassword } from "./change-password.ts";
import { confirmIdentity } from "./confirm.ts";
import { listMembers } from "./members.ts";
import { requestReset, resetPassword } from "./reset.ts";
import {
  beginSetUp,
  finishSetUp,
  readRequirement,
  reencryptFactors,
  removeFactor,
  renewRecoveryCodes,
  requireFactor,
  resetFactorOf,
  resetMemberFactor,
  takeCode,
} from "./second-factor.ts";
import { findPerson, forgetDevices } from "./sessions.ts";
import { signIn, signInByCode, signInByProvider } from "./sign-in.ts";
import { BROWSER, PASSWORD, testPeople, type TestPerson } from "./testing.ts";

const database = await testDatabase();
const { sql } = database;
const { organization, person, log } = testPeople(database);
/** A cheap hash: its cost parameters are stored in it. */
const passwordHash = await hashPassword(PASSWORD, randomBytes(16), { N: 1024, r: 8, p: 1 });

/** A member who signs in with a password. */
async function withPassword(role: Role = "Editor") {
  const place = await organization();
  const one = await person(place, role);
  await sql`update users set password_hash = ${passwordHash} where id = ${one.userId}`;
  return { ...one, place };
}

const codeAt = (secret: string, at = Date.now()): string => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at });

/** Codes of the present and the next step may both be used. */
const nextCode = (secret: string): string => codeAt(secret, Date.now() + 30_000);

/** Sets up a second factor; the code of the present step is used by it. */
async function setUp(one: { userId: string; sessionId: string; email: string }) {
  const { secret } = await beginSetUp(database, testCipher, one, "points.test");
  const done = await finishSetUp(database, testCipher, one, codeAt(secret));
  if ("problems" in done) throw new Error(done.problems[0]!.message);
  return { secret, recoveryCodes: done.recoveryCodes };
}

const enter = (email: string, remembered: Buffer[] = []) =>
  signIn(database, { email, password: PASSWORD }, BROWSER, () => null, remembered);

const byCode = (
  userId: string,
  code: string,
  { remember = null as Buffer | null, cipher = testCipher, isTicketOf = (): boolean => true } = {},
) => signInByCode(database, cipher, { userId, isTicketOf }, { code, remember }, BROWSER);

test("with a second factor the password alone opens no session, and the code opens one", async () => {
  const ann = await withPassword();
  expect(await enter(ann.email)).toHaveProperty("sessionId");
  const { secret } = await setUp(ann);
  const sessions = async () => (await readAccount(database, ann)).sessions.length;
  // The set-up ended all sessions opened without a code.
  expect(await sessions()).toBe(1);
  expect(await enter(ann.email)).toEqual({ secondStep: { userId: ann.userId, passwordHash } });
  expect(await byCode(ann.userId, "000000")).toHaveProperty("refusal");
  expect(await sessions()).toBe(1);
  expect(await byCode(ann.userId, ` ${nextCode(secret).replace(/(?=...$)/, " ")}`)).toHaveProperty("sessionId");
  expect(await sessions()).toBe(2);
});

test("a code works once, however many requests send it concurrently", async () => {
  const ann = await withPassword();
  const { secret } = await setUp(ann);
  expect(await byCode(ann.userId, codeAt(secret))).toHaveProperty("refusal");
  const code = nextCode(secret);
  const answers = await Promise.all([1, 2, 3].map(() => byCode(ann.userId, code)));
  expect(answers.filter((answer) => "sessionId" in answer)).toHaveLength(1);
});

test("for any codes at any times, each step is accepted at most once, near its time, and never after a later one", async () => {
  const ann = await withPassword();
  const { secret } = await setUp(ann);
  const first = 1_800_000_000_000 / 30_000;
  const attempts = fc.array(fc.record({ at: fc.integer({ min: 0, max: 4 }), late: fc.integer({ min: -3, max: 3 }) }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(attempts, async (tries) => {
      await sql`update second_factors set last_step = 0 where user_id = ${ann.userId}`;
      let used = 0;
      for (const { at, late } of tries) {
        const step = first + at + late;
        const now = (first + at) * 30_000 + 12_345;
        const taken = await transact(database, (tx) => takeCode(tx, testCipher, ann.userId, codeAt(secret, step * 30_000), now));
        const isAccepted = Math.abs(late) <= 1 && step > used;
        expect(taken).toBe(isAccepted ? "app" : "wrong");
        if (isAccepted) used = step;
      }
    }),
    { numRuns: 25 },
  );
});

test("a recovery code works once, in any spelling, and new ones replace all others", async () => {
  const ann = await withPassword();
  const { recoveryCodes } = await setUp(ann);
  expect(recoveryCodes).toHaveLength(10);
  const [one, two, three] = recoveryCodes as [string, string, string];
  const answers = await Promise.all([byCode(ann.userId, one), byCode(ann.userId, one.toUpperCase().replaceAll("-", " "))]);
  expect(answers.filter((answer) => "sessionId" in answer)).toHaveLength(1);
  expect((await readAccount(database, ann)).secondFactor?.recoveryCodes).toBe(9);
  const renewed = await renewRecoveryCodes(database, ann);
  expect(await byCode(ann.userId, two)).toHaveProperty("refusal");
  expect(await byCode(ann.userId, renewed[0]!)).toHaveProperty("sessionId");
  const [row] = await sql<{ all: string }[]>`
    select string_agg(row_to_json(c)::text, '') || (select string_agg(row_to_json(f)::text, '') from second_factors f) as all from recovery_codes c`;
  for (const code of [...renewed, three]) expect(row!.all).not.toContain(code);
  expect(await log(ann.place)).toContain(`${ann.email} use_recovery_code ${ann.email}`);
});

test("wrong codes make the account wait, and the right password between them does not forgive them", async () => {
  const ann = await withPassword();
  const { secret } = await setUp(ann);
  for (let failures = 0; failures < 5; failures++) {
    expect(await enter(ann.email)).toHaveProperty("secondStep");
    expect(await byCode(ann.userId, "000000")).toMatchObject({ refusal: expect.stringMatching(/^This code is wrong/) });
  }
  expect(await byCode(ann.userId, nextCode(secret))).toMatchObject({ refusal: expect.stringMatching(/^Too many attempts/) });
  expect(await enter(ann.email)).toMatchObject({ refusal: expect.stringMatching(/^Too many attempts/) });
});

test("a wrong password gets the same answer with and without a second factor, and for an unknown address", async () => {
  const [ann, bob] = [await withPassword(), await withPassword()];
  await setUp(ann);
  const answer = (email: string) => signIn(database, { email, password: "another password" }, BROWSER);
  expect(await answer(ann.email)).toEqual(await answer(bob.email));
  expect(await answer(ann.email)).toEqual(await answer("stranger@example.com"));
});

test("a ticket is for its person, ten minutes and their password alone", () => {
  const [key, other] = [ticketKey("a secret"), ticketKey("another")];
  const owner = { userId: "00000000-0000-4000-8000-000000000001", passwordHash: "hash" };
  const ticket = writeTicket(key, owner, 1000);
  expect(ticketOwner(ticket)).toBe(owner.userId);
  expect(isTicketOf(key, ticket, owner, 1000 + 599_999)).toBe(true);
  expect(isTicketOf(key, ticket, owner, 1000 + 600_000)).toBe(false);
  expect(isTicketOf(other, ticket, owner, 1000)).toBe(false);
  expect(isTicketOf(key, ticket, { ...owner, passwordHash: "another" }, 1000)).toBe(false);
  expect(isTicketOf(key, ticket.replace("0001", "0002"), { ...owner, userId: owner.userId.replace("0001", "0002") }, 1000)).toBe(false);
  expect(isTicketOf(key, ticket.replace(".601000.", ".999999."), owner, 1000)).toBe(false);
  for (const none of ["", "x", `${owner.userId}.1.x`, "'.1.".padEnd(80, "a"), ticket.replace(/^[^.]*/, "-".repeat(36))])
    expect(ticketOwner(none)).toBeNull();
});

test("without a valid ticket no code is looked at", async () => {
  const ann = await withPassword();
  const { secret, recoveryCodes } = await setUp(ann);
  const refused = { refusal: expect.stringMatching(/Sign in again/) };
  expect(await byCode(ann.userId, recoveryCodes[0]!, { isTicketOf: () => false })).toMatchObject(refused);
  expect(await byCode("00000000-0000-4000-8000-000000000000", "000000")).toMatchObject(refused);
  expect((await readAccount(database, ann)).secondFactor?.recoveryCodes).toBe(10);
  expect(await byCode(ann.userId, nextCode(secret))).toHaveProperty("sessionId");
});

test("a remembered browser needs no code, for its person, until it is forgotten; twenty are kept", async () => {
  const ann = await withPassword();
  const { recoveryCodes } = await setUp(ann);
  const hash = tokenHash(writeToken(randomBytes(32)))!;
  await byCode(ann.userId, recoveryCodes[0]!, { remember: hash });
  expect(await enter(ann.email, [randomBytes(32), hash])).toHaveProperty("sessionId");
  expect(await enter(ann.email, [randomBytes(32)])).toHaveProperty("secondStep");
  const bob = await withPassword();
  await setUp(bob);
  expect(await enter(bob.email, [hash])).toHaveProperty("secondStep");

  const { devices } = await readAccount(database, ann);
  expect(devices).toHaveLength(1);
  expect(await forgetDevices(database, bob, devices[0]!.id)).toBe(0);
  expect(await forgetDevices(database, ann, devices[0]!.id)).toBe(1);
  expect(await enter(ann.email, [hash])).toHaveProperty("secondStep");

  await sql`
    insert into remembered_devices (user_id, token_hash, expires_at, last_used_at)
    select ${ann.userId}, decode(lpad(to_hex(n), 64, '0'), 'hex'), now() + interval '1 day', now() - n * interval '1 minute'
    from generate_series(1, ${MAX_REMEMBERED}) as n`;
  await byCode(ann.userId, recoveryCodes[1]!, { remember: hash });
  const kept = (await readAccount(database, ann)).devices;
  expect(kept).toHaveLength(MAX_REMEMBERED);
  expect(await enter(ann.email, [hash])).toHaveProperty("sessionId");
  await sql`update remembered_devices set expires_at = now() where token_hash = ${hash}`;
  expect(await enter(ann.email, [hash])).toHaveProperty("secondStep");
});

test("every new password ends remembered browsers; a reset by link asks for the code as well", async () => {
  const next = "some other words in a row";
  const change = {
    "by the person": (ann: TestPerson) => changePassword(database, { ...ann }, { current: PASSWORD, next }),
    "by the command line": (ann: TestPerson) => renewPassword(database, ann.email),
    "by a link": async (ann: TestPerson) => {
      const { token } = (await requestReset(database, ann.email, null))!;
      expect(await resetPassword(database, token, next, BROWSER)).toMatchObject({ secondStep: { userId: ann.userId } });
      expect(await sql`select from sessions where user_id = ${ann.userId}`).toHaveLength(0);
    },
  };
  for (const [name, how] of Object.entries(change)) {
    const ann = await withPassword();
    const { recoveryCodes } = await setUp(ann);
    await byCode(ann.userId, recoveryCodes[0]!, { remember: randomBytes(32) });
    await how(ann);
    expect((await readAccount(database, ann)).devices, name).toEqual([]);
    expect((await readAccount(database, ann)).secondFactor, name).not.toBeNull();
  }
});

test("a new app replaces the old one with its first code, and not before", async () => {
  const ann = await withPassword();
  const { secret } = await setUp(ann);
  const { secret: newer, uri } = await beginSetUp(database, testCipher, ann, "points.test");
  expect(uri).toContain(`otpauth://totp/points.test:${encodeURIComponent(ann.email)}?`);
  expect(await finishSetUp(database, testCipher, ann, "000000")).toHaveProperty("problems");
  expect(await byCode(ann.userId, nextCode(secret))).toHaveProperty("sessionId");
  expect(await finishSetUp(database, testCipher, ann, codeAt(newer))).toHaveProperty("recoveryCodes");
  expect(await finishSetUp(database, testCipher, ann, nextCode(newer))).toHaveProperty("problems");
  expect(await byCode(ann.userId, nextCode(newer))).toHaveProperty("sessionId");
});

test("the secret is stored encrypted for its person, and survives a rotation of AUTH_SECRET", async () => {
  const ann = await withPassword();
  const { secret, recoveryCodes } = await setUp(ann);
  const [row] = await sql<{ secret: string }[]>`select secret from second_factors where user_id = ${ann.userId}`;
  expect(row!.secret).not.toContain(secret);
  const next = "the AUTH_SECRET after the rotation";
  const rotated = new SecretCipher(next);
  const refused = await byCode(ann.userId, nextCode(secret), { cipher: rotated });
  expect(refused).toMatchObject({ refusal: expect.stringMatching(/AUTH_SECRET was replaced/) });
  expect(await byCode(ann.userId, recoveryCodes[0]!, { cipher: rotated })).toHaveProperty("sessionId");
  expect((await reencryptFactors(database, rotated)).unreadable).toContain(ann.email);
  expect(await reencryptFactors(database, new SecretCipher(next, TEST_AUTH_SECRET))).toMatchObject({ unreadable: [] });
  expect(await byCode(ann.userId, nextCode(secret), { cipher: rotated })).toHaveProperty("sessionId");
});

test("identity is proved again by the password, or with a second factor by a code; wrong guesses must wait", async () => {
  const ann = await withPassword();
  const isOld = async () => (await findPerson(database, ann.sessionId))?.isProofOld;
  const age = (minutes = 61) => sql`update sessions set proved_at = now() - ${minutes} * interval '1 minute' where id = ${ann.sessionId}`;
  await age(55);
  expect(await isOld()).toBe(false);
  await age();
  expect(await isOld()).toBe(true);
  expect(await confirmIdentity(database, testCipher, ann, { password: "another password" })).toMatchObject([{ pointer: "#/password" }]);
  expect(await isOld()).toBe(true);
  expect(await confirmIdentity(database, testCipher, ann, { password: PASSWORD })).toEqual([]);
  expect(await isOld()).toBe(false);

  const { secret } = await setUp(ann);
  await age();
  expect(await confirmIdentity(database, testCipher, ann, { password: PASSWORD })).toMatchObject([{ pointer: "#/code" }]);
  const code = nextCode(secret);
  expect(await confirmIdentity(database, testCipher, ann, { code })).toEqual([]);
  expect(await isOld()).toBe(false);
  await age();
  expect(await confirmIdentity(database, testCipher, ann, { code })).toMatchObject([{ pointer: "#/code" }]);
  for (let failures = 1; failures < 5; failures++) await confirmIdentity(database, testCipher, ann, { code: "000000" });
  expect(await confirmIdentity(database, testCipher, ann, { code: "000000" })).toMatchObject([
    { message: expect.stringMatching(/^Too many/) },
  ]);
});

test("a first password needs a recent sign-in: a session that was left open sets none, and so proves nothing by it", async () => {
  const ann = await withPassword();
  await sql`update users set password_hash = null where id = ${ann.userId}`;
  const set = () => changePassword(database, ann, { current: "", next: PASSWORD });
  await sql`update sessions set proved_at = now() - interval '61 minutes' where id = ${ann.sessionId}`;
  expect(await set()).toBe("unconfirmed");
  expect(await confirmIdentity(database, testCipher, ann, { password: PASSWORD })).toMatchObject([{ pointer: "#/password" }]);
  await sql`update sessions set proved_at = now() where id = ${ann.sessionId}`;
  expect(await set()).toEqual([]);
  expect(await enter(ann.email)).toHaveProperty("sessionId");
});

test("an Owner with a second factor can require one of all members, or of those who may change Live, from their next call", async () => {
  const owner = await withPassword("Owner");
  const { place } = owner;
  const [editor, viewer] = [await person(place, "Editor"), await person(place, "Viewer")];
  await sql`update users set password_hash = ${passwordHash} where id in (${editor.userId}, ${viewer.userId})`;
  const where = { ...owner.where, person: owner };
  await expect(requireFactor(database, where, "live")).rejects.toThrow("Set up your own second factor first");
  await expect(requireFactor(database, { ...editor.where, person: editor }, "live")).rejects.toThrow("Only an Owner");
  await setUp(owner);
  await requireFactor(database, where, "live");
  const isDue = async (one: TestPerson) => (await findPerson(database, one.sessionId))!.isFactorDue;
  expect(await Promise.all([owner, editor, viewer].map(isDue))).toEqual([false, true, false]);
  expect(await readRequirement(database, owner, place.organizationId)).toEqual({
    ...{ requirement: "live", without: 2, withoutInLive: 1, mayChange: true },
  });
  await requireFactor(database, where, "everybody");
  expect(await isDue(viewer)).toBe(true);
  await setUp(editor);
  expect(await isDue(editor)).toBe(false);
  await expect(removeFactor(database, editor)).rejects.toThrow("requires a second factor");
  await requireFactor(database, where, null);
  expect(await isDue(viewer)).toBe(false);
  await removeFactor(database, editor);
  await removeFactor(database, editor);
  expect((await log(place)).filter((entry) => entry.includes("remove_second_factor"))).toHaveLength(1);
  expect(await enter(editor.email)).toHaveProperty("sessionId");
});

test("an Owner resets the second factor of a member, an Admin does not, and the command line resets anyone's", async () => {
  const owner = await withPassword("Owner");
  const { place } = owner;
  const [admin, editor] = [await person(place, "Admin"), await person(place, "Editor")];
  await sql`update users set password_hash = ${passwordHash} where id = ${editor.userId}`;
  await expect(resetMemberFactor(database, owner.where, editor.membershipId)).rejects.toThrow("has no second factor");
  await setUp(editor);
  const seen = async (by: TestPerson) => (await listMembers(database, by.where)).members.find(({ userId }) => userId === editor.userId)!;
  expect(await seen(owner)).toMatchObject({ hasSecondFactor: true, mayResetFactor: true });
  expect(await seen(admin)).toMatchObject({ hasSecondFactor: true, mayResetFactor: false });
  expect(await seen(editor)).toMatchObject({ hasSecondFactor: null, mayResetFactor: false });
  await resetMemberFactor(database, owner.where, editor.membershipId);
  expect(await log(place)).toContain(`${owner.email} reset_second_factor ${editor.email}`);
  expect(await findPerson(database, editor.sessionId)).toBeNull();
  expect(await enter(editor.email)).toHaveProperty("sessionId");
  await setUp(owner);
  await expect(resetMemberFactor(database, owner.where, owner.membershipId)).rejects.toThrow("your own");
  expect(await resetFactorOf(database, owner.email)).toBe(owner.email);
  expect(await enter(owner.email)).toHaveProperty("sessionId");
});

test("a provider's sign-in asks for no code, and takes away the second factor of a password that others may know", async () => {
  const ann = await withPassword();
  await setUp(ann);
  const place = { organizationId: ann.place.organizationId };
  await sql`update organizations set second_factor = 'everybody' where id = ${place.organizationId}`;
  await sql`update users set is_password_confirmed = true where id = ${ann.userId}`;
  const account = { provider: "google", providerAccountId: ann.userId, email: ann.email };
  const signedIn = await signInByProvider(database, account, BROWSER);
  expect(signedIn).toHaveProperty("sessionId");
  expect(await findPerson(database, (signedIn as { sessionId: string }).sessionId)).toMatchObject({ isFactorDue: false });
  expect((await readAccount(database, ann)).secondFactor).not.toBeNull();
  await sql`update users set is_password_confirmed = false where id = ${ann.userId}`;
  await transact(database, (tx) => endImpostors(tx, ann));
  expect((await readAccount(database, ann)).secondFactor).toBeNull();
  await expect(beginSetUp(database, testCipher, ann, "points.test")).rejects.toThrow("Set a password first");
});

test("recovery codes have one form in the database, and other texts none", () => {
  expect(recoveryHash("ABCD efgh-ijkl mnop")).toEqual(recoveryHash("abcdefghijklmnop"));
  for (const text of ["", "123456", "abcd-efgh-ijkl", "abcd-efgh-ijkl-mno1"]) expect(recoveryHash(text)).toBeNull();
});
