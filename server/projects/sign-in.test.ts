import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { beginSignIn } from "./service/attempts.ts";
import { signIn } from "./service/sign-in.ts";
import { createUser } from "./service.ts";

// What a hash costs is looked at in hashing.test.ts.
vi.mock(import("./passwords.ts"), async (original) => {
  const real = await original();
  return { ...real, hashPassword: (password, salt) => real.hashPassword(password, salt, { N: 1024, r: 8, p: 1 }) };
});

const database = await testDatabase();
const { sql } = database;

const unique = (name: string) => `${name}-${randomBytes(4).toString("hex")}@example.com`;
const from = (address: string | null) => ({ address, userAgent: null });
const member = async () => createUser(database, { email: unique("ann"), role: "Editor", projectSlug: (await testProject(database)).slug });
const words = async (email: string, password: string, address: string | null = null): Promise<string> => {
  const signedIn = await signIn(database, { email, password }, from(address));
  return "refusal" in signedIn ? signedIn.refusal : "in";
};
/** Tries that fail, without the work of hashing. */
const fail = async (count: number, address: string | null, email = () => unique("x")) => {
  for (let at = 0; at < count; at++) await beginSignIn(database, email(), address);
};
const passTime = () => sql`update sign_in_attempts set locked_until = locked_until - interval '1 hour'`;

test("a member signs in, in whatever case the address is written, and each time with a session of its own", async () => {
  const { email, password } = await member();
  const both = [
    await signIn(database, { email: ` ${email.toUpperCase()}`, password }, from(null)),
    await signIn(database, { email, password }, from("192.0.2.1")),
  ];
  const ids = both.map((one) => ("sessionId" in one ? one.sessionId : null));
  expect(new Set(ids).size).toBe(2);
  const rows = await sql`select address from sessions where id = any(${ids as string[]}) and expires_at > now() + interval '29 days'`;
  expect(rows.map(({ address }) => address)).toEqual(expect.arrayContaining([null, "192.0.2.1"]));
});

test("five failures lock an account for a while, also against the right password and from anywhere, and a success forgets them", async () => {
  const { email, password } = await member();
  await fail(4, null, () => email);
  expect(await words(email, password), "four are free").toBe("in");
  await fail(4, null, () => email);
  expect(await words(email, "wrong")).toBe("That e-mail address and password do not go together.");
  expect(await words(email, password, "198.51.100.9")).toMatch(/^Too many attempts have failed. Try again in (2\d|30) seconds.$/);
  await passTime();
  expect(await words(email, "wrong")).not.toContain("Too many");
  expect(await words(email, password), "the next wait is longer").toMatch(/ (5\d|60) seconds/);
  await passTime();
  expect(await words(email, password)).toBe("in");
  expect(await words(email, "wrong")).not.toContain("Too many");
  expect(await words(email, password)).toBe("in");
});

test("nothing that is said tells whether there is such an account, locked or not", async () => {
  const { email } = await member();
  const stranger = unique("stranger");
  expect(await words(stranger, "wrong")).toBe(await words(email, "wrong"));
  for (const one of [email, stranger]) await fail(4, null, () => one);
  expect(await words(stranger, "wrong")).toBe(await words(email, "wrong"));
  expect(await words(stranger, "wrong")).toContain("Too many");
});

test("many failures from one address lock that address, for every account, and no other address", async () => {
  const { email, password } = await member();
  await fail(30, "203.0.113.5");
  expect(await words(email, password, "203.0.113.5")).toContain("Too many");
  expect(await words(email, password, "203.0.113.6")).toBe("in");
  await fail(30, "2001:db8:7::1");
  expect(await words(email, password, "2001:db8:7::ffff"), "one customer has a whole /64").toContain("Too many");
});

test("who has an account does not get to guess at others in turns with it", async () => {
  const { email, password } = await member();
  await fail(29, "203.0.113.77");
  expect(await words(email, password, "203.0.113.77")).toBe("in");
  await fail(1, "203.0.113.77");
  expect(await words(email, password, "203.0.113.77")).toContain("Too many");
});

test("many tries at once count like one after the other", async () => {
  const email = unique("ann");
  const attempts = await Promise.all(Array.from({ length: 20 }, () => beginSignIn(database, email, "203.0.113.99")));
  expect(attempts.filter(({ waitMs }) => waitMs === 0)).toHaveLength(5);
});

test("what was tried is not kept, and is forgotten a day after", async () => {
  await sql`delete from sign_in_attempts`;
  const typed = `${unique("typed")} and the password`;
  await beginSignIn(database, typed, null);
  const [row] = await sql<{ all: string }[]>`select string_agg(a::text, '') as all from sign_in_attempts a`;
  expect(row!.all).not.toContain("typed");
  await sql`update sign_in_attempts set last_at = last_at - interval '25 hours'`;
  await beginSignIn(database, unique("new"), null);
  expect(await sql`select subject from sign_in_attempts`).toHaveLength(1);
});
