import { createRouterClient } from "@orpc/server";
import { expect, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { dashboardRouter } from "../../api/rpc/router.ts";
import { testCipher } from "../../delivery/testing.ts";
import type { Mail } from "../../model/identity/mails.ts";
import { openSession } from "./sessions.ts";
import { BROWSER, testPeople, unique } from "./testing.ts";

const database = await testDatabase();
const { sql } = database;
const { organization, person, invited } = testPeople(database);

test("at most two hundred invitations are open, even with concurrent requests; inviting the same person again adds none", async () => {
  const place = await organization();
  const owner = await person(place, "Owner");
  const first = unique("first");
  await invited(owner.where, first, "Viewer");
  await sql`
    insert into invitations (organization_id, email, role, token_hash, invited_by, invited_by_id, expires_at)
    select organization_id, n || email, role, sha256(convert_to(n || email, 'UTF8')), invited_by, invited_by_id, expires_at
    from invitations, generate_series(1, 197) n where email = ${first}`;
  const made = await Promise.allSettled(Array.from({ length: 4 }, () => invited(owner.where, unique("more"), "Viewer")));
  expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  await expect(invited(owner.where, unique("last"), "Viewer")).rejects.toThrow("200 invitations are open");
  await invited(owner.where, first, "Editor");
});

test("an organization has at most two thousand memberships, counting open invitations", async () => {
  const place = await organization();
  const owner = await person(place, "Owner");
  await invited(owner.where, unique("first"), "Viewer");
  const [held] = await sql<{ count: number }[]>`
    select count(*)::int from memberships where organization_id = (select organization_id from projects where slug = ${place.projectSlug})`;
  await sql`
    with people as (
      insert into users (email, password_hash) select ${unique("member")} || n, 'none' from generate_series(1, ${1_997 - held!.count}::int) n returning id
    )
    insert into memberships (user_id, organization_id, role) select people.id, p.organization_id, 'Viewer' from people, projects p where p.slug = ${place.projectSlug}`;
  const made = await Promise.allSettled(Array.from({ length: 4 }, () => invited(owner.where, unique("more"), "Viewer")));
  expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  await expect(invited(owner.where, unique("last"), "Viewer")).rejects.toThrow("2000 memberships");
});

test("mails of invitations to one address are limited; the link is returned all the same", async () => {
  const place = await organization();
  const owner = await person(place, "Owner");
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => mails.push(mail) > 0 };
  const context = { database, mailer, sessionId: owner.sessionId, baseUrl: "", allowPrivateAddresses: true, cipher: testCipher, wake() {} };
  const { members } = createRouterClient(dashboardRouter, { context });
  const wanted = { project: place.projectSlug, email: unique("ann"), role: "Viewer" as const, scope: "project" as const };
  const answers = [];
  for (let time = 0; time < 4; time++) answers.push(await members.invite(wanted));
  expect(answers.map((answer) => "mail" in answer && answer.mail)).toEqual([
    ...Array.from({ length: 3 }, () => ({ isSent: true, isTooMany: false })),
    { isSent: false, isTooMany: true },
  ]);
  expect(answers[3]).toHaveProperty("link");
  expect(mails).toHaveLength(3);
});

test("a person has at most a hundred sessions: the least recently used one ends", async () => {
  const { userId, sessionId } = await person(await organization(), "Viewer");
  await sql`
    insert into sessions (user_id, expires_at, last_seen_at)
    select ${userId}, now() + interval '1 hour', now() - n * interval '1 minute' from generate_series(1, 99) n`;
  await sql`update sessions set last_seen_at = now() - interval '1 day' where id = ${sessionId}`;
  const newest = await openSession(sql, userId, BROWSER);
  const rows = await sql<{ id: string }[]>`select id from sessions where user_id = ${userId}`;
  const ids = rows.map(({ id }) => id);
  expect([ids.length, ids.includes(newest), ids.includes(sessionId)]).toEqual([100, true, false]);
});
