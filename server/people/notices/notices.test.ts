import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import type { Mail } from "../../model/identity/mails.ts";
import { type Attempt, recordAttempts } from "../../delivery/service/sending.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { isPersonal, NOTICE_KINDS } from "../../model/notices/kinds.ts";
import { noticeMail } from "../../model/notices/mail.ts";
import { mailDue, startNotices } from "./mailing.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

const database = await testDatabase();
const { sql } = database;
const baseUrl = "https://points.test";
const logger = { error: () => {}, warn: () => {} };

async function shop() {
  const project = await testProject(database);
  const { sandbox, slug } = project;
  const sent: Mail[] = [];
  const mailer = { isUp: true, send: async (mail: Mail) => mailer.isUp && sent.push(mail) > 0 };
  const members = {
    owner: await signedIn(database, slug, "Owner"),
    admin: await signedIn(database, slug, "Admin"),
    viewer: await signedIn(database, slug, "Viewer"),
  };
  /** Runs two workers, each until it finds nothing. */
  const look = async () => {
    const runners = [1, 2].map(() => startNotices({ database, logger, mail: { mailer, baseUrl } }));
    await Promise.all(runners.map((runner) => runner.idle()));
    await Promise.all(runners.map((runner) => runner.stop()));
  };
  const endpoint = () =>
    createEndpoint(
      database,
      sandbox,
      { url: `http://127.0.0.1:1/${randomUUID()}`, events: ["mission.completed"] },
      { allowPrivateAddresses: true, cipher: testCipher },
    );
  const failingSince = (id: string, interval: string) =>
    sql`update webhook_endpoints set failing_since = date_trunc('second', now()) - ${interval}::interval where id = ${id}`;
  const scope = { project: slug, environment: "sandbox" as const };
  const list = async (isOpen = true) => (await members.viewer.rpc.notices.list({ ...scope, isOpen })).notices;
  const hourLater = () => sql`update notice_mailings set mailed_at = mailed_at - interval '1 hour' where project_id = ${sandbox.projectId}`;
  const recipients = () => sent.map(({ to }) => to).sort();
  return { ...project, ...members, scope, sent, mailer, look, endpoint, failingSince, list, hourLater, recipients };
}

test("a choice of mails is logged once, and repeating it is not", async () => {
  const { slug, sandbox, viewer } = await shop();
  for (const isOn of [true, true, false]) await viewer.rpc.notices.choose({ project: slug, kind: "EndpointFailingHour", isOn });
  expect(await sql`select from audit_log where project_id = ${sandbox.projectId} and subject_kind = 'notification'`).toHaveLength(2);
});

test("an endpoint that has failed for an hour, then a day, is mailed once each, even with two workers, to Owners, Admins and subscribers", async () => {
  const { slug, scope, owner, admin, viewer, sent, look, endpoint, failingSince, list, recipients } = await shop();
  const { id } = await endpoint();
  await viewer.rpc.notices.choose({ project: slug, kind: "EndpointFailingHour", isOn: true });
  await owner.rpc.notices.choose({ project: slug, kind: "EndpointFailingHour", isOn: false });
  await failingSince(id, "59 minutes");
  await look();
  expect([await list(), sent]).toEqual([[], []]);
  await failingSince(id, "61 minutes");
  for (let round = 0; round < 2; round++) await look();
  expect(await list()).toMatchObject([{ kind: "EndpointFailingHour", endpointId: id, isOpen: true }]);
  expect(recipients()).toEqual([admin.email, viewer.email].sort());
  expect(sent[0]!.text).toContain(`${baseUrl}/dashboard/${slug}/sandbox/developers/webhooks/${id}`);

  // A success ends the cause; the next failure is a new one.
  await sql`update webhook_endpoints set failing_since = null where id = ${id}`;
  expect(await list()).toEqual([]);
  expect(await list(false)).toHaveLength(1);
  await failingSince(id, "25 hours");
  await look();
  expect(await list()).toMatchObject([{ kind: "EndpointFailingDay" }]);
  expect(recipients().slice()).toEqual([admin.email, admin.email, owner.email, viewer.email].sort());

  const { projects } = await viewer.rpc.notices.choices();
  expect(projects).toMatchObject([{ slug, role: "Viewer", mailed: ["EndpointFailingHour", ...NOTICE_KINDS.filter(isPersonal)] }]);
  expect((await owner.rpc.notices.choices()).projects[0]!.mailed).toEqual(NOTICE_KINDS.slice(1));
  const { entries } = await owner.rpc.auditLog.list({ project: scope.project, subjectKind: "notification" });
  expect(entries.map(({ actor }) => actor).sort()).toEqual([owner.email, viewer.email].sort());
});

test("a project is mailed at most once an hour about a kind; notices in between are mailed together", async () => {
  const { admin, sent, look, endpoint, failingSince, list, hourLater } = await shop();
  const fail = async () => failingSince((await endpoint()).id, "2 hours");
  const toAdmin = () => sent.filter(({ to }) => to === admin.email).map(({ subject }) => subject);
  await fail();
  await look();
  await fail();
  await fail();
  await look();
  expect(await list()).toHaveLength(3);
  expect(toAdmin()).toHaveLength(1);
  await hourLater();
  await look();
  expect(toAdmin()[1]).toContain("2 webhook endpoints have failed for an hour");
  await hourLater();
  await look();
  expect(toAdmin()).toHaveLength(2);
});

test("an endpoint that the service switches off is noted in the same transaction", async () => {
  const { sandbox, admin, sent, look, endpoint, failingSince, list } = await shop();
  const { id } = await endpoint();
  await sql.begin((tx) =>
    enqueueDeliveries(tx, [
      { environmentId: sandbox.id, event: "mission.completed", sourceId: randomUUID(), data: {}, occurredAt: Date.now() },
    ]),
  );
  const [delivery] = await sql<{ id: string }[]>`select id from webhook_deliveries where endpoint_id = ${id}`;
  await failingSince(id, "6 days");
  const attempt: Attempt = {
    ...{ deliveryId: delivery!.id, endpointId: id, number: 1, startedAt: Date.now(), durationMs: 1, responseStatus: 500, error: null },
    ...{ status: "Pending", waitMs: 5_000, timedOut: false, answer: null },
  };
  expect(await recordAttempts(database, [attempt])).toMatchObject([{ id }]);
  expect(await list()).toMatchObject([{ kind: "EndpointSwitchedOff", endpointId: id }]);
  await look();
  expect(sent.filter(({ to }) => to === admin.email)).toMatchObject([{ text: expect.stringContaining("Every attempt has failed since") }]);
});

test("facts in quarantine are noted once an hour while more arrive, and the notice is open while any is left", async () => {
  const { sandbox, admin, sent, look, list, hourLater } = await shop();
  const setAside = () => sql`
    insert into quarantined_facts
      (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, error, quarantined_at)
    values (${sandbox.id}, nextval('fact_seq'), 1, ${randomUUID()}, 'event', ${randomUUID()}, 1, now(), now(), '{}', 'failed', now() - interval '6 seconds')`;
  const later = () => sql`
    update notices set created_at = created_at - interval '1 hour',
      details = jsonb_set(details::jsonb, '{until}', to_jsonb((details ->> 'until')::timestamptz - interval '1 hour'))::json
    where environment_id = ${sandbox.id}`;
  const toAdmin = () => sent.filter(({ to }) => to === admin.email);
  await setAside();
  await setAside();
  await look();
  await setAside();
  await look();
  expect(await list()).toMatchObject([{ kind: "Quarantined", count: 2 }]);
  expect(toAdmin()).toHaveLength(1);
  // An hour later only the third fact is noted, not the two earlier ones.
  await sql`update quarantined_facts set quarantined_at = quarantined_at - interval '1 hour 10 minutes' where seq <> (select max(seq) from quarantined_facts)`;
  await later();
  await hourLater();
  await look();
  expect((await list())[0]).toMatchObject({ count: 1 });
  expect(await list()).toHaveLength(1);
  expect(toAdmin()).toHaveLength(2);
  await sql`delete from quarantined_facts`;
  expect(await list()).toEqual([]);
});

test("the end of a problem is noted once, with two workers: of several notices about it the last one ends", async () => {
  const { slug, sandbox, admin, sent, look, endpoint, failingSince, hourLater, list } = await shop();
  const { id } = await endpoint();
  await failingSince(id, "2 hours");
  await look();
  await failingSince(id, "25 hours");
  await sql`update notices set cause = (select e.id || ' ' || extract(epoch from e.failing_since) from webhook_endpoints e where e.id = ${id})
    where endpoint_id = ${id}`;
  await look();
  await sql`update webhook_endpoints set failing_since = null where id = ${id}`;
  for (let round = 0; round < 2; round++) await look();
  const over = await sql<{ kind: string }[]>`select kind from notices where environment_id = ${sandbox.id} and over_of is not null`;
  expect(over).toEqual([{ kind: "EndpointFailingDay" }]);
  expect(await list(false)).toHaveLength(2);
  await hourLater();
  await look();
  const last = sent.filter(({ to }) => to === admin.email).at(-1)!;
  expect(last.subject).toContain("Over: A webhook endpoint has failed for a day");
  expect(last.text).toContain("It no longer fails.");
  expect(last.text).toContain(`${baseUrl}/dashboard/${slug}/sandbox/developers/webhooks/${id}`);
});

test("an endpoint that still fails stays listed, however many notices came later", async () => {
  const { sandbox, look, endpoint, failingSince, list } = await shop();
  const { id } = await endpoint();
  await failingSince(id, "2 hours");
  await look();
  await sql`
    insert into notices (environment_id, project_id, kind, cause, details, mailing, created_at)
    select environment_id, project_id, 'Quarantined', n, details, gen_random_uuid(), now() + n * interval '1 hour'
    from notices, generate_series(1, 200) n where environment_id = ${sandbox.id}`;
  expect(await list()).toMatchObject([{ kind: "EndpointFailingHour", endpointId: id, isOpen: true }]);
  expect((await list(false)).slice(0, 2)).toMatchObject([
    { isOpen: true, hasEnd: true },
    { kind: "Quarantined", isOpen: false, hasEnd: true },
  ]);
});

test("a rejected mail is tried again, and not sent to people who have left meanwhile", async () => {
  const { admin, owner, mailer, sent, look, endpoint, failingSince } = await shop();
  mailer.isUp = false;
  await failingSince((await endpoint()).id, "2 hours");
  await look();
  mailer.isUp = true;
  await look();
  expect(sent).toEqual([]);
  await sql`delete from memberships where user_id = (select id from users where email = ${owner.email})`;
  await sql`update notice_mails set leased_until = now() - interval '1 second'`;
  await Promise.all([1, 2].map(() => mailDue(database, { mailer, baseUrl })));
  const recipients = sent.map(({ to }) => to);
  expect(recipients).toContain(admin.email);
  expect(recipients).not.toContain(owner.email);
});

test("a problem and its end in one mail count once, and ask for nothing to be done", () => {
  const begun = {
    environment: "live" as const,
    endpointId: null,
    isOver: false,
    details: { name: "Many events", since: "2026-01-02T03:04:05.000Z" },
  };
  const over = { ...begun, isOver: true };
  const mail = (...notices: (typeof begun)[]) =>
    noticeMail("ann@example.com", { kind: "Alert", projectSlug: "acme", projectName: "Acme", notices }, baseUrl);
  const subject = (...notices: (typeof begun)[]) => mail(...notices).subject;
  expect(subject(begun, over)).toBe("Acme: Alert: Many events");
  expect(subject(over)).toBe("Acme: Over: Alert: Many events");
  const other = { ...begun, details: { ...begun.details, name: "Few events" } };
  expect(subject(over, other)).toBe("Acme: 2 alerts");
  expect(subject(begun, other, over)).toBe("Acme: 2 alerts");
  expect(subject(over, { ...other, isOver: true })).toBe("Acme: Over: 2 alerts");
  const remedy = "Another message follows";
  expect(mail(begun).text).toContain(remedy);
  expect(mail(begun, other, over).text).toContain(remedy);
  expect(mail(begun, over).text).not.toContain(remedy);
});

test("names cannot inject lines or headers into a mail", () => {
  const details = { url: "https://receiver.test/\r\nhook", since: "2026-01-02T03:04:05.000Z" };
  const notices = [{ environment: "live" as const, endpointId: "e1", isOver: false, details }];
  const mail = noticeMail(
    "ann@example.com",
    { kind: "EndpointFailingHour", projectSlug: "acme", projectName: "Acme\r\nBcc: x", notices },
    baseUrl,
  );
  expect(mail.subject).toBe("Acme Bcc: x: A webhook endpoint has failed for an hour");
  expect(mail.text.split("\n\n")[0]).toBe(
    `Live: https://receiver.test/ hook\nEvery attempt has failed since 2026-01-02 03:04 UTC.\n${baseUrl}/dashboard/acme/live/developers/webhooks/e1`,
  );
});
