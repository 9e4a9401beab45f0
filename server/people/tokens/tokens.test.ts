import { randomBytes } from "node:crypto";
import { createRouterClient } from "@orpc/server";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { keyHash } from "../api-keys/authenticate.ts";
import { dashboardRouter } from "../../api/rpc/router.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { testCipher } from "../../delivery/testing.ts";
import { findTokenHolder } from "./tokens.ts";
import { hashOfToken, MAX_MADE_A_DAY, TOKEN_BYTES, writePersonalToken } from "../../model/tokens/token.ts";

const database = await testDatabase();
const { sql } = database;

/** The dashboard's procedures called with a token, and also with a cookie's session if one is given. */
const speaking = (token: string, sessionId: string | null = null) => {
  const context = {
    database,
    sessionId,
    authorization: `Bearer ${token}`,
    baseUrl: "",
    allowPrivateAddresses: true,
    cipher: testCipher,
    wake: () => {},
  };
  return createRouterClient(dashboardRouter, { context });
};

/** A project with a member of that role and a token of theirs. */
async function withToken(role: "Owner" | "Admin" | "Editor" | "Viewer", wanted: object = {}) {
  const project = await testProject(database);
  const member = await signedIn(database, project.slug, role);
  const input = { project: project.slug, name: "ci", role, environment: null, days: 30, ...wanted };
  const made = await member.rpc.tokens.create(input);
  if (!("token" in made)) throw new Error(JSON.stringify(made));
  return { ...project, ...member, token: made.token, bot: speaking(made.token), scope: { project: project.slug } };
}

test("a token is shown once; afterwards only its prefix, last four characters and last use", async () => {
  const { rpc, token, bot, scope, email } = await withToken("Editor", { name: " ci " });
  expect(token).toMatch(/^svc_pat_[0-9a-f]{64}$/);
  expect((await rpc.tokens.list(scope)).tokens).toMatchObject([{ lastUsedAt: null }]);
  expect(await bot.projects.me()).toMatchObject({ email, projects: [{ slug: scope.project, role: "Editor" }] });
  await expect.poll(async () => (await rpc.tokens.list(scope)).tokens[0]!.lastUsedAt).not.toBeNull();
  const list = await rpc.tokens.list(scope);
  expect(list.mayGive).toEqual(["Editor", "Support", "Viewer"]);
  expect(list.tokens).toMatchObject([{ name: "ci", hint: `svc_pat_…${token.slice(-4)}`, isYours: true, maker: email, state: "InForce" }]);
  expect(JSON.stringify(list)).not.toContain(token.slice(8, 40));
  const [row] = await sql<{ text: string }[]>`select string_agg(t::text, '') as text from personal_tokens t`;
  expect(row!.text).not.toContain(token.slice(8, 40));
});

test("its last use is written at most once a minute", async () => {
  const { bot, scope } = await withToken("Viewer");
  const lastUse = async () => (await sql`select last_used_at, xmin from personal_tokens where name = 'ci' and project_id = (select id from projects where slug = ${scope.project})`)[0]!; // oxfmt-ignore
  await bot.projects.me();
  await expect.poll(async () => (await lastUse())["lastUsedAt"]).not.toBeNull();
  const before = await lastUse();
  for (let call = 0; call < 3; call++) await bot.projects.place(scope);
  expect(await lastUse()).toEqual(before);
});

test("a token cannot exceed its maker's rights, last forever, or be for another's project", async () => {
  const { rpc, scope } = await withToken("Viewer");
  const wanted = { ...scope, name: "more", role: "Editor" as const, environment: null, days: 400 };
  expect(await rpc.tokens.create(wanted)).toMatchObject({ problems: [{ pointer: "#/role" }, { pointer: "#/days" }] });
  const { slug } = await testProject(database);
  await expect(rpc.tokens.create({ ...wanted, project: slug })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a revoked or expired token fails from the next call on, with its reason", async () => {
  const { rpc, bot, scope, token } = await withToken("Editor");
  const other = await rpc.tokens.create({ ...scope, name: "short", role: "Viewer", environment: null, days: 1 });
  const short = speaking((other as { token: string }).token);
  await short.projects.place(scope);
  await sql`update personal_tokens set expires_at = now() - interval '1 second' where name = 'short'`;
  await expect(short.projects.place(scope)).rejects.toMatchObject({ code: "UNAUTHORIZED", message: expect.stringContaining("expired at") });
  await bot.projects.place(scope);
  const { id } = (await rpc.tokens.list(scope)).tokens.find(({ name }) => name === "ci")!;
  await rpc.tokens.revoke({ ...scope, id });
  await expect(bot.projects.place(scope)).rejects.toMatchObject({ code: "UNAUTHORIZED", message: 'The token "ci" was revoked.' });
  expect(await findTokenHolder(database, `Bearer ${token}`)).toHaveProperty("refusal");
  await expect(rpc.tokens.revoke({ ...scope, id })).rejects.toThrow("no such token in force");
  expect((await rpc.tokens.list(scope)).tokens.map(({ state }) => state)).toEqual(["Expired", "Revoked"]);
});

test("a token does no more than its maker may now, and ends with their membership for good", async () => {
  const { slug, bot, email, sandbox } = await withToken("Admin");
  const owner = await signedIn(database, slug, "Owner");
  const scope = { project: slug, environment: "sandbox" as const };
  await bot.keys.create({ ...scope, name: "from the token" });
  const { members } = await owner.rpc.members.list({ project: slug });
  const { id } = members.find((member) => member.email === email)!;
  await owner.rpc.members.changeRole({ project: slug, id, role: "Viewer", liveRole: null });
  await expect(bot.keys.create({ ...scope, name: "no more" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await bot.keys.list(scope)).toHaveLength(2);
  await owner.rpc.members.changeRole({ project: slug, id, role: "Admin", liveRole: null });
  await bot.keys.create({ ...scope, name: "again" });
  await owner.rpc.members.remove({ project: slug, id });
  await expect(bot.keys.list(scope)).rejects.toMatchObject({
    code: "UNAUTHORIZED",
    message: expect.stringContaining("no longer a member"),
  });
  await sql`
    with person as (insert into users (email) values (${email}) returning id)
    insert into memberships (user_id, organization_id, role) select id, ${sandbox.organizationId}, 'Owner' from person`;
  await expect(bot.keys.list(scope)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("a token is bound to its project and, optionally, to one environment", async () => {
  const { slug, bot, email, sandbox } = await withToken("Owner", { environment: "sandbox" });
  const other = await testProject(database);
  await sql`
    insert into memberships (user_id, organization_id, role)
    select id, ${other.sandbox.organizationId}, 'Owner' from users where email = ${email}`;
  await bot.keys.create({ project: slug, environment: "sandbox", name: "own" });
  const refused = (message: string) => ({ code: "FORBIDDEN", message: expect.stringContaining(message) });
  for (const project of [other.slug, "no-such-project"]) {
    await expect(bot.keys.list({ project, environment: "sandbox" })).rejects.toMatchObject(refused(`for the project ${slug} alone`));
  }
  await expect(bot.keys.list({ project: slug, environment: "live" })).rejects.toMatchObject(refused("for the Sandbox alone"));
  expect((await bot.projects.me()).projects.map((project) => project.slug)).toEqual([slug]);

  const save = { project: slug, environment: "sandbox" as const, kind: "events" as const, document: '{"key":"a","name":"A"}', isNew: true };
  await expect(bot.definitions.save({ ...save, alsoIn: { revision: null } })).rejects.toMatchObject(refused("reaches both environments"));
  await expect(bot.definitions.promote({ project: slug, environment: "sandbox", chosen: [], dryRun: false })).rejects.toMatchObject(
    refused("reaches both environments"),
  );
  await expect(bot.projects.archive({ project: slug, confirmation: slug })).rejects.toMatchObject(refused("reaches both"));
  expect(await bot.definitions.save(save)).toMatchObject({ problems: [] });
  const [row] = await sql`select count(*)::int as count from definitions where environment_id = ${sandbox.id}`;
  expect(row).toEqual({ count: 1 });
});

test("a token makes no tokens, changes no members and touches no account, with any role", async () => {
  const { slug, bot } = await withToken("Owner");
  const closed = { code: "FORBIDDEN", message: expect.stringContaining("No token opens this") };
  const wanted = { project: slug, name: "another", role: "Viewer" as const, environment: null, days: 1 };
  await expect(bot.tokens.create(wanted)).rejects.toMatchObject(closed);
  const invitation = { project: slug, email: "friend@example.com", role: "Owner" as const, scope: "organization" as const };
  await expect(bot.members.invite(invitation)).rejects.toMatchObject(closed);
  await expect(bot.account.endOtherSessions()).rejects.toMatchObject(closed);
  await expect(bot.account.changePassword({ current: "", next: "a few words in a row" })).rejects.toMatchObject(closed);
});

test("with both a token and a cookie, only the token counts", async () => {
  const { slug, token } = await withToken("Viewer");
  const { email } = await signedIn(database, slug, "Owner");
  const [session] = await sql<{ id: string }[]>`select s.id from sessions s join users u on u.id = s.user_id where u.email = ${email}`;
  const scope = { project: slug, environment: "live" as const };
  await expect(speaking(token, session!.id).keys.create({ ...scope, name: "x" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(speaking("nonsense", session!.id).keys.list(scope)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("an API key opens nothing of the dashboard, a token nothing of the public API", async () => {
  const { slug, sandboxKey, token } = await withToken("Owner");
  await expect(speaking(sandboxKey).keys.list({ project: slug, environment: "sandbox" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  expect(() => keyHash(`Bearer ${token}`)).toThrow(expect.objectContaining({ code: "auth.api_key_invalid" }));
});

test("a user sees and revokes their own tokens; Admins and Owners all of the project, and none of another", async () => {
  const { slug, rpc, scope, bot } = await withToken("Owner");
  const [editor, admin] = [await signedIn(database, slug, "Editor"), await signedIn(database, slug, "Admin")];
  await editor.rpc.tokens.create({ ...scope, name: "editor's", role: "Viewer", environment: "live", days: 7 });
  const namesFor = async (who: typeof editor) => (await who.rpc.tokens.list(scope)).tokens.map(({ name }) => name);
  expect(await namesFor(editor)).toEqual(["editor's"]);
  expect(await namesFor(admin)).toEqual(["editor's", "ci"]);
  const { id } = (await rpc.tokens.list(scope)).tokens.find(({ name }) => name === "ci")!;
  await expect(editor.rpc.tokens.revoke({ ...scope, id })).rejects.toThrow("no such token");
  const elsewhere = await testProject(database);
  const stranger = await signedIn(database, elsewhere.slug, "Owner");
  await expect(stranger.rpc.tokens.revoke({ project: elsewhere.slug, id })).rejects.toThrow("no such token");
  await bot.projects.place(scope);
  await admin.rpc.tokens.revoke({ ...scope, id });
  await expect(bot.projects.place(scope)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("the audit log names the maker of a token, its revocation, and the changes made with it under its name and its maker's", async () => {
  const { slug, rpc, bot, email, scope, token } = await withToken("Owner");
  await bot.keys.create({ ...scope, environment: "live", name: "shop" });
  const { id } = (await rpc.tokens.list(scope)).tokens[0]!;
  await rpc.tokens.revoke({ ...scope, id });
  const { entries } = await rpc.auditLog.list({ project: slug, actor: email });
  expect(entries.map((entry) => [entry.action, entry.subjectKind, entry.subjectKey, entry.token])).toEqual([
    ["revoke", "token", "ci", null],
    ["create", "apiKey", "shop", "ci"],
    ["create", "token", "ci", null],
  ]);
  expect(entries[2]!.changes.map(({ path }) => path)).toEqual(["token", "role", "expiresAt"]);
  expect(JSON.stringify(entries)).not.toContain(token.slice(8, 40));
});

test("at most a hundred tokens are valid, even with concurrent requests", async () => {
  const { rpc, scope } = await withToken("Viewer");
  await sql`
    insert into personal_tokens (membership_id, project_id, name, hash, hint, role, expires_at)
    select membership_id, project_id, 'more', sha256(convert_to(n::text || id::text, 'UTF8')), hint, role, expires_at
    from personal_tokens, generate_series(1, 97) n where project_id = (select id from projects where slug = ${scope.project})`;
  const wanted = { ...scope, name: "last", role: "Viewer" as const, environment: null, days: 1 };
  const made = await Promise.allSettled(Array.from({ length: 6 }, () => rpc.tokens.create(wanted)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

test("guessing tokens is limited to a few concurrent look-ups, and does not block known tokens", async () => {
  const { bot, scope } = await withToken("Viewer");
  await bot.projects.place(scope);
  const guess = (n: number) => speaking(`svc_pat_${String(n).padStart(64, "0")}`).projects.me();
  const guesses = Promise.allSettled(Array.from({ length: 200 }, (_, n) => guess(n)));
  const known = await bot.projects.place(scope);
  const codes = (await guesses).map((one) => one.status === "rejected" && (one.reason as { code: string }).code);
  expect(known).toBeDefined();
  expect(codes.filter((code) => code === "UNAUTHORIZED")).toHaveLength(66);
  expect(codes.filter((code) => code === "TOO_MANY_REQUESTS")).toHaveLength(134);
});

test("a program's own token counts from its approval on, once, within the approver's role, until it ends itself", async () => {
  const { rpc, scope, email } = await withToken("Editor");
  const token = writePersonalToken(randomBytes(TOKEN_BYTES));
  const program = speaking(token);
  await expect(program.tokens.current()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  const hash = hashOfToken(token).toString("hex");
  const wanted = { ...scope, name: "laptop", environment: "sandbox" as const, days: 1, hash, lastFour: token.slice(-4) };
  expect(await rpc.tokens.approve({ ...wanted, role: "Admin" })).toMatchObject({ problems: [{ pointer: "#/role" }] });
  expect(await rpc.tokens.approve({ ...wanted, role: "Editor" })).toEqual({ problems: [] });
  await expect(rpc.tokens.approve({ ...wanted, role: "Viewer" })).rejects.toThrow("approved before");

  const bounds = { name: "laptop", role: "Editor", environment: "sandbox", project: scope.project };
  expect(await program.tokens.current()).toMatchObject({ email, token: bounds });
  expect((await rpc.tokens.list(scope)).tokens[0]).toMatchObject({ name: "laptop", hint: `svc_pat_…${token.slice(-4)}` });
  expect(await rpc.tokens.current()).toEqual({ email, token: null });

  expect(await program.tokens.end()).toEqual({ name: "laptop" });
  await expect(program.tokens.current()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  const { entries } = await signedIn(database, scope.project, "Viewer").then((viewer) =>
    viewer.rpc.auditLog.list({ ...scope, actor: email }),
  );
  expect(entries.slice(0, 2).map(({ action, token: by }) => [action, by])).toEqual([
    ["revoke", "laptop"],
    ["create", null],
  ]);
});

/** Inserts revoked copies of a token: its holder made and revoked them. */
const revokedLike = (token: string, count: number) => sql`
  insert into personal_tokens (membership_id, project_id, name, hash, hint, role, expires_at, revoked_at)
  select membership_id, project_id, 'revoked', sha256(convert_to(hash::text || n, 'UTF8')), hint, role, expires_at, now()
  from personal_tokens, generate_series(1, ${count}::int) n where hash = ${hashOfToken(token)}`;

test("a list begins with the tokens in force, however many were made and revoked since", async () => {
  const { rpc, scope, slug, token } = await withToken("Editor");
  await revokedLike(token, 2_000);
  const admin = await signedIn(database, slug, "Admin");
  for (const { rpc: asked } of [{ rpc }, admin]) {
    const { tokens } = await asked.tokens.list(scope);
    expect(tokens.slice(0, 2).map(({ name, state }) => [name, state])).toEqual([
      ["ci", "InForce"],
      ["revoked", "Revoked"],
    ]);
  }
});

test("a person creates a bounded number of tokens a day over all projects, even with concurrent requests", async () => {
  const { rpc, scope, email, token } = await withToken("Editor");
  const other = await testProject(database);
  await sql`
    insert into memberships (user_id, organization_id, role)
    select id, ${other.sandbox.organizationId}, 'Owner' from users where email = ${email}`;
  await revokedLike(token, MAX_MADE_A_DAY - 4);
  const wanted = { name: "more", role: "Viewer" as const, environment: null, days: 1 };
  const asked = [scope.project, other.slug, scope.project, other.slug, scope.project].map((project) =>
    rpc.tokens.create({ ...wanted, project }),
  );
  const answers = await Promise.allSettled(asked);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  await expect(rpc.tokens.create({ ...wanted, ...scope })).rejects.toThrow(`at most ${MAX_MADE_A_DAY} tokens in 24 hours`);
  await sql`update personal_tokens set created_at = now() - interval '25 hours' where hash = ${hashOfToken(token)}`;
  expect(await rpc.tokens.create({ ...wanted, ...scope })).toHaveProperty("token");
});
