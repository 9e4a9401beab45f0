import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { changePassword } from "./change-password.ts";
import { beginMail, beginSignIn } from "./count-attempts.ts";
import { createUser } from "./accounts.ts";
import { deviceKey, deviceOf, withDevice } from "../../model/identity/devices.ts";
import { findPerson } from "./sessions.ts";
import { isPasswordOf } from "./hash-password.ts";
import * as accounts from "./reset.ts";
import { requestReset } from "./reset.ts";
import { type SignedIn, signIn, signInByProvider } from "./sign-in.ts";
import { keepLastAttempts } from "./store/attempts.ts";

// The cost of a hash is tested in passwords.test.ts.
vi.mock(import("../../model/identity/passwords.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    UNMATCHABLE_HASH: real.UNMATCHABLE_HASH.replace(/\d+/, "1024"),
    hashPassword: (password, salt) => real.hashPassword(password, salt, { N: 1024, r: 8, p: 1 }),
    async isPassword(password, hash) {
      const { until, onBegun } = looking;
      onBegun();
      const isIt = await real.isPassword(password, hash);
      await until;
      return isIt;
    },
  };
});

/** Each password check calls `onBegun` when it begins, then waits for `until`. */
let looking = { until: Promise.resolve(), onBegun: () => {} };

/** Blocks password checks until `goOn`. */
function holdLooking(): { begun: Promise<void>; goOn(): void } {
  const [begun, until] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  looking = { until: until.promise, onBegun: begun.resolve };
  return { begun: begun.promise, goOn: until.resolve };
}

const database = await testDatabase();
const { sql } = database;

const unique = (name: string) => `${name}-${randomBytes(4).toString("hex")}@example.com`;
const from = (address: string | null) => ({ address, userAgent: null });
const member = async () => createUser(database, { email: unique("ann"), role: "Editor", projectSlug: (await testProject(database)).slug });
const words = async (email: string, password: string, address: string | null = null): Promise<string> => {
  const signedIn = await signIn(database, { email, password }, from(address));
  return "refusal" in signedIn ? signedIn.refusal : "in";
};
/** Failed attempts, without hashing. */
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

test("five failures lock an account for a while, even for the right password and from any address, and a success resets the count", async () => {
  const { email, password } = await member();
  await fail(4, null, () => email);
  expect(await words(email, password), "four are free").toBe("in");
  await fail(4, null, () => email);
  expect(await words(email, "wrong")).toBe("Wrong email or password.");
  expect(await words(email, password, "198.51.100.9")).toMatch(/^Too many attempts have failed. Try again in (2\d|30) seconds.$/);
  await passTime();
  expect(await words(email, "wrong")).not.toContain("Too many");
  expect(await words(email, password), "the next wait is longer").toMatch(/ (5\d|60) seconds/);
  await passTime();
  expect(await words(email, password)).toBe("in");
  expect(await words(email, "wrong")).not.toContain("Too many");
  expect(await words(email, password)).toBe("in");
});

test("no response reveals whether an account exists, locked or not", async () => {
  const { email } = await member();
  const unknown = unique("unknown");
  expect(await words(unknown, "wrong")).toBe(await words(email, "wrong"));
  for (const one of [email, unknown]) await fail(4, null, () => one);
  expect(await words(unknown, "wrong")).toBe(await words(email, "wrong"));
  expect(await words(unknown, "wrong")).toContain("Too many");
});

test("many failures from one address lock that address, for every account, and no other address", async () => {
  const { email, password } = await member();
  await fail(30, "203.0.113.5");
  expect(await words(email, password, "203.0.113.5")).toContain("Too many");
  expect(await words(email, password, "203.0.113.6")).toBe("in");
  await fail(30, "2001:db8:7::1");
  expect(await words(email, password, "2001:db8:7::ffff"), "one customer has a whole /64").toContain("Too many");
});

test("signing in to one's own account in between allows no more guesses at others", async () => {
  const { email, password } = await member();
  await fail(29, "203.0.113.77");
  expect(await words(email, password, "203.0.113.77")).toBe("in");
  await fail(1, "203.0.113.77");
  expect(await words(email, password, "203.0.113.77")).toContain("Too many");
});

test("concurrent attempts count like sequential ones", async () => {
  const email = unique("ann");
  const attempts = await Promise.all(Array.from({ length: 20 }, () => beginSignIn(database, email, "203.0.113.99")));
  expect(attempts.filter(({ waitMs }) => waitMs === 0)).toHaveLength(5);
});

test("the typed text is not stored, and attempts are forgotten after a day", async () => {
  await sql`delete from sign_in_attempts`;
  const typed = `${unique("typed")} and the password`;
  await beginSignIn(database, typed, null);
  const [row] = await sql<{ all: string }[]>`select string_agg(a::text, '') as all from sign_in_attempts a`;
  expect(row!.all).not.toContain("typed");
  await sql`update sign_in_attempts set last_at = last_at - interval '25 hours'`;
  await beginSignIn(database, unique("new"), null);
  expect(await sql`select subject from sign_in_attempts`).toHaveLength(1);
});

/** A browser with its cookies. */
function browser() {
  const key = deviceKey("a secret of the test's own");
  let cookie: string | null = null;
  return {
    cookie: () => cookie,
    async enter(email: string, password: string, address: string | null = null): Promise<string> {
      const signedIn: SignedIn = await signIn(database, { email, password }, from(address), (owner) => deviceOf(key, cookie, owner));
      if (!("owner" in signedIn)) return "refusal" in signedIn ? signedIn.refusal : "a code is asked for";
      cookie = withDevice(key, cookie, signedIn.owner, randomBytes(16));
      return "in";
    },
    /** Replaces the cookie, for example with another browser's. */
    handOver: (text: string | null) => void (cookie = text),
  };
}

test("a browser that has signed in before is not locked out by unknown browsers, neither by account nor by address", async () => {
  const [ann, other] = [await member(), await member()];
  const [own, fresh] = [browser(), browser()];
  expect(await own.enter(ann.email, ann.password, "203.0.113.31")).toBe("in");
  await fail(30, "203.0.113.31");
  await fail(5, null, () => ann.email);
  expect(await fresh.enter(ann.email, ann.password, "203.0.113.31")).toContain("Too many");
  expect(await own.enter(ann.email, ann.password, "203.0.113.31")).toBe("in");
  expect(await own.enter(other.email, other.password, "203.0.113.31"), "for another account it is an unknown browser").toContain(
    "Too many",
  );
});

test("a known browser gets no more guesses than an unknown one, and its failures lock no other user out", async () => {
  const { email, password } = await member();
  const [own, elsewhere] = [browser(), browser()];
  await own.enter(email, password);
  for (let at = 0; at < 5; at++) expect(await own.enter(email, "wrong")).not.toContain("Too many");
  expect(await own.enter(email, password)).toContain("Too many");
  expect(await elsewhere.enter(email, password)).toBe("in");
});

test("a device cookie is void for another account, without the secret, or after a change of the password", async () => {
  const [ann, bob] = [await member(), await member()];
  const [own, forged] = [browser(), browser()];
  await own.enter(ann.email, ann.password);
  const cookie = own.cookie()!;
  expect(cookie).not.toContain(ann.email);
  const foreign = deviceKey("another secret");
  const [row] = await sql<{ userId: string; passwordHash: string }[]>`
    select id as user_id, password_hash from users where email = ${ann.email}`;
  const guesses = ["", "~", ".", "~~~~", `${cookie}x`, cookie.slice(1), "x".repeat(5000), withDevice(foreign, null, row!, randomBytes(16))];
  for (const { email } of [ann, bob]) await fail(5, null, () => email);
  for (const guess of guesses) {
    forged.handOver(guess);
    expect(await forged.enter(ann.email, ann.password), guess.slice(0, 80)).toContain("Too many");
  }
  forged.handOver(cookie);
  expect(await forged.enter(bob.email, bob.password)).toContain("Too many");
  const { token } = (await requestReset(database, ann.email, null))!;
  await accounts.resetPassword(database, token, "another few words", from(null));
  await fail(5, null, () => ann.email);
  expect(await own.enter(ann.email, "another few words")).toContain("Too many");
});

test("a browser remembers up to five people, the most recent ones", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, member));
  const shared = browser();
  for (const { email, password } of people) await shared.enter(email, password);
  expect(shared.cookie()!.length).toBeLessThan(400);
  for (const { email } of people) await fail(5, null, () => email);
  const answers = [];
  for (const { email, password } of people.slice(1)) answers.push(await shared.enter(email, password));
  expect(answers).toEqual(Array.from({ length: 5 }, () => "in"));
  expect(await shared.enter(people[0]!.email, people[0]!.password)).toContain("Too many");
});

/** Runs `work` while the queue of password checks is full. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const { goOn } = holdLooking();
  const flood = Array.from({ length: 42 }, () => isPasswordOf("x", null));
  try {
    return await work();
  } finally {
    goOn();
    await Promise.all(flood);
  }
}

test("an attempt rejected by a full queue is not counted, and takes back no earlier one", async () => {
  const { email, password } = await member();
  await fail(3, "203.0.113.41", () => email);
  await whileBusy(async () => {
    for (let at = 0; at < 12; at++) expect(await words(email, "wrong", "203.0.113.41")).toContain("Very many people");
  });
  expect(await words(email, "wrong")).toContain("Wrong email or password");
  await fail(1, null, () => email);
  expect(await words(email, password), "five have failed").toContain("Too many");
});

test("a flood of unknown browsers does not lock out a known browser", async () => {
  const { email, password } = await member();
  const own = browser();
  await own.enter(email, password);
  const entering = await whileBusy(async () => {
    const mine = own.enter(email, password);
    expect(await words(email, password)).toContain("Very many people");
    return { mine };
  });
  expect(await entering.mine).toBe("in");
});

test("opening a link queues like any sign-in, and keeps the link if rejected", async () => {
  const { email } = await member();
  const { token } = (await requestReset(database, email, null))!;
  const set = () => accounts.resetPassword(database, token, "another few words", from(null));
  await whileBusy(async () => {
    for (let at = 0; at < 3; at++) expect(await set()).toMatchObject({ refusal: expect.stringContaining("Very many people") });
  });
  expect(await set()).toHaveProperty("sessionId");
});

test("a refused attempt writes nothing", async () => {
  const email = unique("ann");
  await fail(30, "203.0.113.51");
  await fail(5, null, () => email);
  const all = async () =>
    (await sql<{ all: string }[]>`select string_agg(a::text, ' ' order by subject) as all from sign_in_attempts a`)[0]!.all;
  const before = await all();
  const tries = [
    ...Array.from({ length: 20 }, () => beginSignIn(database, unique("new"), "203.0.113.51")),
    beginSignIn(database, email, "198.51.100.77"),
  ];
  for (const { waitMs } of await Promise.all(tries)) expect(waitMs).toBeGreaterThan(0);
  expect(await all()).toBe(before);
});

test("mails beyond the limit write nothing either", async () => {
  const email = unique("ann");
  for (let at = 0; at < 3; at++) expect((await beginMail(database, email, null)).waitMs).toBe(0);
  const [before] = await sql`select count(*) from sign_in_attempts`;
  expect((await beginMail(database, email, "198.51.100.78")).waitMs).toBeGreaterThan(0);
  expect((await sql`select count(*) from sign_in_attempts`)[0]).toEqual(before);
});

test("of a flood of accounts and addresses the last are kept, and subjects without a failure leave no row", async () => {
  await sql`delete from sign_in_attempts`;
  const { email, password } = await member();
  expect(await words(email, password, "192.0.2.200")).toBe("in");
  expect(await sql`select from sign_in_attempts`).toHaveLength(0);
  await sql`
    insert into sign_in_attempts (subject, failures, last_at) select 'account:' || at, 1, now() - at * interval '1 second'
    from generate_series(1, 500) as at`;
  await keepLastAttempts(sql, 100);
  const rows = await sql<{ subject: string }[]>`select subject from sign_in_attempts order by last_at desc`;
  expect(rows.map(({ subject }) => subject)).toEqual(Array.from({ length: 100 }, (_, at) => `account:${at + 1}`));
});

test("a password that is changed during its check opens no session", async () => {
  const { email, password } = await member();
  const { begun, goOn } = holdLooking();
  const entering = words(email, password);
  await begun;
  const { token } = (await requestReset(database, email, null))!;
  expect(await accounts.resetPassword(database, token, "another few words", from(null))).toHaveProperty("sessionId");
  goOn();
  expect(await entering).toContain("Wrong email or password");
});

test("a change with the old password does not override a link that was used meanwhile", async () => {
  const { email, password } = await member();
  const { sessionId } = (await signIn(database, { email, password }, from(null))) as { sessionId: string };
  const thief = (await findPerson(database, sessionId))!;
  const { begun, goOn } = holdLooking();
  const changing = changePassword(database, thief, { current: password, next: "the thief's own words" });
  await begun;
  const { token } = (await requestReset(database, email, null))!;
  await accounts.resetPassword(database, token, "another few words", from(null));
  goOn();
  expect(await changing).toMatchObject([{ pointer: "#/current" }]);
  expect(await words(email, "another few words")).toBe("in");
});

test("look-alikes of a member's address and impossible addresses are unknown", async () => {
  const { slug } = await testProject(database);
  const mark = randomBytes(4).toString("hex");
  const { email, password } = await createUser(database, { email: `kate-${mark}@example.com`, role: "Owner", projectSlug: slug });
  const lookalikes = [
    email.replace("k", "\u212a"), // The Kelvin sign, which is a "k" in lower case.
    email.replace("k", "\uff4b"), // Full width.
    email.replace("e-", "\u0435-"), // Cyrillic.
    email.replace("k", "k\u200b"), // Zero width.
    `${email}\u0000`,
    `\ud800${email}`,
  ];
  for (const lookalike of lookalikes) {
    expect(await words(lookalike, password), JSON.stringify(lookalike)).toContain("Wrong email or password");
    expect(await requestReset(database, lookalike, null)).toBeNull();
    const vouched = { provider: "google", providerAccountId: unique("google"), email: lookalike };
    expect(await signInByProvider(database, vouched, from(null))).toEqual({ refusal: "not-a-member" });
    const made = createUser(database, { email: lookalike, role: "Viewer", projectSlug: slug });
    if (lookalike.includes("\u0435")) expect(await made, "another letter is another address").toMatchObject({ email: lookalike });
    else await expect(made).rejects.toThrow("address");
  }
});
