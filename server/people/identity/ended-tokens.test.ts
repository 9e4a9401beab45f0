import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { createTokenFor, findTokenHolder } from "../tokens/tokens.ts";
import { changePassword, renewPassword } from "./change-password.ts";
import { hashed } from "./hash-password.ts";
import { requestReset, resetPassword } from "./reset.ts";
import { BROWSER, PASSWORD } from "./testing.ts";

const database = await testDatabase();
const { sql } = database;
const NEXT = "another few words";

/** An Editor with a token in each of two projects, one of them in another organization. */
async function withTokens() {
  const [one, two] = [await testProject(database), await testProject(database)];
  const { email, rpc } = await signedIn(database, one.slug, "Editor");
  const [user] = await sql<
    { id: string }[]
  >`update users set password_hash = ${await hashed(PASSWORD)} where email = ${email} returning id`;
  await sql`insert into memberships (user_id, organization_id, role) values (${user!.id}, ${two.sandbox.organizationId}, 'Editor')`;
  const wanted = { name: "ci", role: "Editor" as const, environment: null, days: 30 };
  const tokens = await Promise.all([one, two].map(({ sandbox }) => createTokenFor(database, sandbox, email, wanted)));
  const work = async () =>
    (await Promise.all(tokens.map((token) => findTokenHolder(database, `Bearer ${token}`)))).map((holder) => !("refusal" in holder));
  const [session] = await sql<{ id: string }[]>`select id from sessions where user_id = ${user!.id}`;
  return { email, rpc, slug: one.slug, person: { userId: user!.id, email, sessionId: session!.id }, work };
}

test("a reset of the password by link ends every token of the person, in every organization", async () => {
  const { email, work } = await withTokens();
  const { token } = (await requestReset(database, email, null))!;
  expect(await work()).toEqual([true, true]);
  expect(await resetPassword(database, token, NEXT, BROWSER)).toHaveProperty("sessionId");
  expect(await work()).toEqual([false, false]);
});

test("a reset by the command line does so too, and reports their number; the audit log has it", async () => {
  const { email, slug, work } = await withTokens();
  expect(await renewPassword(database, email)).toMatchObject({ email, revokedTokens: 2 });
  expect(await work()).toEqual([false, false]);
  expect(await renewPassword(database, email)).toMatchObject({ revokedTokens: 0 });
  const { rpc } = await signedIn(database, slug, "Admin");
  const { entries } = await rpc.auditLog.list({ project: slug, action: "change_password" });
  expect(entries.map(({ changes }) => changes.length)).toEqual([0, 1]);
});

test("a change of the password ends tokens only on request", async () => {
  const { person, work } = await withTokens();
  expect(await changePassword(database, person, { current: PASSWORD, next: NEXT })).toEqual([]);
  expect(await work()).toEqual([true, true]);
  expect(await changePassword(database, person, { current: "wrong", next: PASSWORD, endsTokens: true })).toHaveLength(1);
  expect(await work()).toEqual([true, true]);
  expect(await changePassword(database, person, { current: NEXT, next: PASSWORD, endsTokens: true })).toEqual([]);
  expect(await work()).toEqual([false, false]);
});

test("a request that waits behind a reset makes no token: its session has ended", async () => {
  const { rpc, slug, person } = await withTokens();
  const waiting = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return row!.count;
  };
  const wanted = { project: slug, name: "late", role: "Viewer" as const, environment: null, days: 1 };
  const { asked } = await sql.begin(async (tx) => {
    await tx`select from users where id = ${person.userId} for no key update`;
    const made = rpc.tokens.create(wanted).catch(({ message }: Error) => message);
    await expect.poll(waiting).toBe(1);
    await tx`delete from sessions where user_id = ${person.userId}`;
    // Wrapped in an object, so that the transaction does not await it.
    return { asked: made };
  });
  expect(await asked).toContain("Your session has ended");
});
