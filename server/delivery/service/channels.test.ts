import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { until } from "#db/testing/work.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { startReceiver, testCipher, type Reply } from "../testing.ts";
import { note } from "../../people/notices/notices.ts";
import { MAX_CHANNELS } from "../../model/notices/channels.ts";
import { NOTICE_KINDS, type NoticeKind } from "../../model/notices/kinds.ts";
import { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { startChannels } from "./channel-messages.ts";
import { createChannel } from "./channels.ts";
import { reencryptSecrets } from "./secrets.ts";
import { COMMAND_LINE } from "../../model/kernel/environment.ts";

const database = await testDatabase();
const { sql } = database;
const baseUrl = "https://points.test";
const logger = { error: () => {}, warn: () => {} };

async function shop(reply: Reply = { status: 200 }) {
  const project = await testProject(database);
  const { sandbox, slug } = project;
  const admin = await signedIn(database, slug, "Admin");
  const answer = { reply };
  const receiver = await startReceiver(() => answer.reply);
  onTestFinished(() => receiver.close());
  const add = async (
    type: "Slack" | "Signed" = "Slack",
    kinds: readonly NoticeKind[] = NOTICE_KINDS,
    url = `${receiver.url}/of-${type}`,
  ) => {
    const made = await createChannel(
      database,
      sandbox,
      { type, url, name: type, kinds },
      { allowPrivateAddresses: true, cipher: testCipher },
      COMMAND_LINE,
    );
    await sql`update notice_channels set created_at = now() - interval '1 hour' where id = ${made.id}`;
    return made;
  };
  /** Runs workers, each until it finds nothing to do. */
  const look = async (options: { timeoutMs?: number; allowPrivateAddresses?: boolean; workers?: number } = {}) => {
    const { workers = 2, ...given } = options;
    const start = () => startChannels({ database, logger, cipher: testCipher, baseUrl, allowPrivateAddresses: true, ...given });
    const runners = Array.from({ length: workers }, start);
    await Promise.all(runners.map((runner) => runner.idle()));
    await Promise.all(runners.map((runner) => runner.stop()));
  };
  const quarantined = (cause: string, count = 1) =>
    sql.begin((tx) =>
      note(tx, {
        ...{ environmentId: sandbox.id, projectId: sandbox.projectId, kind: "Quarantined", cause, endpointId: null },
        details: { since: "2026-01-02T03:04:05.000Z", count },
      }),
    );
  /** Lets the minute between two messages pass, and the wait for a retry. */
  const later = async () => {
    await sql`update channel_messages set created_at = created_at - interval '2 minutes', due_at = now() - interval '1 second' where project_id = ${sandbox.projectId}`;
  };
  const messages = () =>
    sql<{ attempts: number; isSent: boolean; isGivenUp: boolean; error: string | null }[]>`
      select attempts, sent_at is not null as is_sent, given_up_at is not null as is_given_up, error
      from channel_messages where project_id = ${sandbox.projectId} order by created_at`;
  const list = async () => (await admin.rpc.channels.list({ project: slug })).channels;
  return { ...project, admin, receiver, answer, add, look, quarantined, later, messages, list };
}

test("a notice goes once to each channel that takes its kind, with two workers; the end of its problem goes to the same channels", async () => {
  const { slug, sandbox, receiver, add, look, quarantined, later } = await shop();
  await add("Slack");
  const { secret } = await add("Signed", ["Quarantined"]);
  await add("Slack", ["EndpointSwitchedOff"]);
  await quarantined("one", 3);
  for (let round = 0; round < 2; round++) await look();
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(["/hooks/of-Signed", "/hooks/of-Slack"]);
  const slack = receiver.received.find(({ path }) => path.endsWith("Slack"))!;
  const { text } = JSON.parse(slack.body);
  expect(text).toContain("Events are in quarantine");
  expect(text).toContain("Sandbox: 3 events since 2026-01-02 03:04 UTC");
  expect(text).toContain(`<${baseUrl}/dashboard/${slug}/sandbox/developers/quarantine|Open>`);
  const signed = receiver.received.find(({ path }) => path.endsWith("Signed"))!;
  const payload = new Webhook(secret!).verify(signed.body, signed.headers as Record<string, string>);
  expect(payload).toMatchObject({ event: "notices", data: { project: slug, notices: [{ kind: "Quarantined", isOver: false }], more: 0 } });

  const end = (cause: string) => sql`
    insert into notices (environment_id, project_id, kind, cause, details, over_of)
    select environment_id, project_id, kind, cause || ' over', details, id from notices
    where environment_id = ${sandbox.id} and cause = ${cause}`;
  const ends = () => receiver.received.filter(({ body }) => body.includes("The quarantine is empty."));
  await end("one");
  await later();
  await look();
  expect(receiver.received).toHaveLength(4);
  expect(ends()).toHaveLength(2);

  // Both were noted before a worker looked.
  await quarantined("two");
  await end("two");
  await later();
  await look();
  expect(receiver.received).toHaveLength(6);
  expect(ends()).toHaveLength(4);

  // Another worker is filing the beginning.
  await quarantined("three");
  await end("three");
  await later();
  await sql.begin(async (other) => {
    await other`select from notices where environment_id = ${sandbox.id} and cause = 'three' for update`;
    await look();
  });
  await look();
  expect(receiver.received).toHaveLength(8);
  expect(ends()).toHaveLength(6);
});

test("a channel gets one message a minute: notices in between are one message, which lists twenty and counts the others", async () => {
  const { receiver, add, look, quarantined, later } = await shop();
  await add();
  await quarantined("first");
  await look();
  for (let at = 0; at < 25; at++) await quarantined(`later ${at}`);
  await look();
  expect(receiver.received).toHaveLength(1);
  await later();
  await look();
  expect(receiver.received).toHaveLength(2);
  const { text } = JSON.parse(receiver.received[1]!.body);
  expect(text.match(/\|Open>/g)).toHaveLength(20);
  expect(text).toContain("And 5 more notifications.");
});

test("of several workers that start on a channel's message at once, only one sends it", async () => {
  const { receiver, add, look, quarantined, later } = await shop();
  for (let at = 0; at < 5; at++) await add();
  for (let round = 1; round <= 5; round++) {
    await quarantined(`round ${round}`);
    await look({ workers: 8 });
    expect(receiver.received).toHaveLength(5 * round);
    await later();
  }
});

test("one organization's dead channels hold at most two slots, and other organizations' messages are not delayed", async () => {
  const [dead, quick] = [await shop("hang"), await shop()];
  for (let at = 0; at < 3; at++) await dead.add();
  for (let at = 0; at < 12; at++) await quick.add();
  await dead.quarantined("one");
  await quick.quarantined("one");
  const runner = startChannels({ database, logger, cipher: testCipher, baseUrl, allowPrivateAddresses: true, timeoutMs: 600_000 });
  onTestFinished(() => runner.stop());
  await until(() => quick.receiver.received.length === 12 && dead.receiver.atOnce.now === 2);
  expect(dead.receiver.atOnce.most).toBe(2);
});

test("an organization's dead channels do not delay its other ones", async () => {
  const [{ sandbox, receiver, add, quarantined }, healthy] = [await shop("hang"), await startReceiver()];
  onTestFinished(() => healthy.close());
  for (let at = 0; at < 3; at++) await add();
  await sql`update notice_channels set failing_since = now(), failures = 1 where project_id = ${sandbox.projectId}`;
  await quarantined("one");
  const runner = startChannels({ database, logger, cipher: testCipher, baseUrl, allowPrivateAddresses: true, timeoutMs: 600_000 });
  onTestFinished(() => runner.stop());
  await until(() => receiver.atOnce.now > 0);
  await add("Signed", NOTICE_KINDS, healthy.url);
  await quarantined("two");
  runner.wake();
  await until(() => healthy.received.length === 1);
  expect(receiver.atOnce.most).toBe(1);
});

test("a failed message is sent again under its id and with its bytes, a redirect is not followed, and a receiver that hangs is given up", async () => {
  const { receiver, answer, add, look, quarantined, messages, list } = await shop("hang");
  const retry = () => sql`update channel_messages set due_at = now() - interval '1 second' where attempts > 0`;
  await add("Signed");
  await quarantined("one");
  await look({ timeoutMs: 50 });
  answer.reply = { status: 302, headers: { location: `${receiver.url}/elsewhere` } };
  await retry();
  await look();
  expect((await list())[0]).toMatchObject({
    failingSince: expect.any(String),
    last: { isSent: false, error: expect.stringContaining("redirect") },
  });
  answer.reply = { status: 204 };
  await retry();
  await look();
  expect(receiver.received.map(({ path }) => path)).toEqual(Array(3).fill("/hooks/of-Signed"));
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await messages()).toMatchObject([{ attempts: 3, isSent: true, error: null }]);
  expect((await list())[0]).toMatchObject({ failingSince: null, last: { isSent: true } });
});

test("an attempt that dies with its process is made again; retries are bounded", async () => {
  const { sandbox, receiver, answer, add, look, quarantined, later, messages } = await shop({ status: 500 });
  await add();
  await quarantined("one");
  await look();
  // A process leased it and died.
  await sql`update channel_messages set attempts = attempts + 1, due_at = now() - interval '1 second' where project_id = ${sandbox.projectId}`;
  for (let round = 0; round < 10; round++) {
    await look();
    await later();
  }
  expect(await messages()).toMatchObject([{ attempts: 8, isGivenUp: true }]);
  expect(receiver.received).toHaveLength(7);
  answer.reply = { status: 200 };
  await look();
  expect(receiver.received).toHaveLength(7);
});

test("a channel that only fails for a day is switched off once, logged, shown with its reason, and noted; once it is on again, the end is noted", async () => {
  const { slug, sandbox, live, admin, answer, add, look, quarantined, later, list } = await shop({ status: 404 });
  const { id } = await add();
  for (const cause of ["one", "two", "three"]) {
    await quarantined(cause);
    await look();
    await later();
    await sql`update notice_channels set failing_since = now() - interval '25 hours' where id = ${id}`;
  }
  expect(await list()).toMatchObject([{ isOn: false, offReason: expect.stringContaining("every attempt has failed since") }]);
  const { entries } = await admin.rpc.auditLog.list({ project: slug, subjectKind: "channel", action: "switch_off" });
  expect(entries).toMatchObject([{ actor: "the service" }]);
  const { notices } = await admin.rpc.notices.list({ project: slug, environment: "live", isOpen: true });
  expect(notices).toMatchObject([{ kind: "ChannelSwitchedOff", name: "Slack", isOpen: true }]);
  // What comes while it is off is not sent later.
  await quarantined("four");
  await look();
  answer.reply = { status: 200 };
  await admin.rpc.channels.switch({ project: slug, id, isOn: true });
  await look();
  expect(await list()).toMatchObject([{ isOn: true, failingSince: null }]);
  expect((await admin.rpc.notices.list({ project: slug, environment: "live", isOpen: true })).notices).toEqual([]);
  expect(live.projectId).toBe(sandbox.projectId);
});

test("a name that resolves to a private address is refused, when the channel is added and again for every message", async () => {
  const { slug, sandbox, admin, receiver, add, look, quarantined, messages } = await shop();
  const wanted = { type: "Slack", name: "Inside", url: "https://inside.example.com/hook", kinds: ["Quarantined"] } as const;
  const refused = createChannel(
    database,
    sandbox,
    wanted,
    { allowPrivateAddresses: false, cipher: testCipher, resolve: async () => ["10.0.0.7"] },
    COMMAND_LINE,
  );
  await expect(refused).rejects.toThrow(/private or local address/);
  await add();
  await quarantined("one");
  await look({ allowPrivateAddresses: false });
  expect(receiver.received).toEqual([]);
  expect(await messages()).toMatchObject([{ isSent: false, error: expect.stringContaining("private or local address") }]);
  const { channels } = await admin.rpc.channels.list({ project: slug });
  expect(channels[0]).toMatchObject({ last: { isSent: false } });
});

test("all problems of a new channel are reported together", async () => {
  const { sandbox } = await testProject(database);
  const wanted = { type: "Slack", url: "nowhere", name: " ", kinds: [] } as const;
  const refused = createChannel(database, sandbox, wanted, { allowPrivateAddresses: true, cipher: testCipher }, COMMAND_LINE);
  await expect(refused).rejects.toMatchObject({ placed: [{ pointer: "#/url" }, { pointer: "#/name" }, { pointer: "#/kinds" }] });
});

test("no answer, log entry or column has a URL's password or a secret, which is shown once", async () => {
  const { slug, admin, receiver } = await shop();
  const url = `${receiver.url}/T0000/PASSWORD`;
  const slack = await admin.rpc.channels.create({ project: slug, type: "Slack", name: "Team", url, kinds: ["Quarantined"] });
  const signed = await admin.rpc.channels.create({ project: slug, type: "Signed", name: "Ours", url, kinds: ["Quarantined"] });
  if ("problems" in slack || "problems" in signed) throw new Error("refused");
  expect(slack.secret).toBeNull();
  const { channels } = await admin.rpc.channels.list({ project: slug });
  const { entries } = await admin.rpc.auditLog.list({ project: slug, subjectKind: "channel" });
  const rows = await sql`select c::text as stored from notice_channels c where id in (${slack.id}, ${signed.id})`;
  expect(channels).toMatchObject([{ url: `${new URL(url).origin}/…` }, {}]);
  expect(entries).toHaveLength(2);
  const shown = JSON.stringify([channels, entries, rows]);
  for (const hidden of ["PASSWORD", signed.secret!]) expect(shown).not.toContain(hidden);
});

test("a test is posted immediately and answers with the result; with another AUTH_SECRET the channel cannot be read until it is re-encrypted", async () => {
  const { slug, admin, receiver, answer, add, look, quarantined } = await shop();
  const { id } = await add("Signed");
  expect(await admin.rpc.channels.test({ project: slug, id })).toEqual({ isAccepted: true, words: "Success" });
  answer.reply = { status: 410 };
  expect(await admin.rpc.channels.test({ project: slug, id })).toMatchObject({
    isAccepted: false,
    words: expect.stringContaining("gone for good"),
  });
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ data: { isTest: true, notices: [] } });

  answer.reply = { status: 200 };
  const next = new SecretCipher("the next one", "only for this test");
  expect((await reencryptSecrets(database, next)).unreadable).toEqual([]);
  await quarantined("one");
  await look();
  expect(receiver.received).toHaveLength(2);
  await sql`update channel_messages set due_at = now() - interval '1 second'`;
  const runner = startChannels({ database, logger, cipher: next, baseUrl, allowPrivateAddresses: true });
  await runner.idle();
  await runner.stop();
  expect(receiver.received).toHaveLength(3);
});

test("a save over a later change is refused, and one that is repeated or has read that change is not; a switch is no such change", async () => {
  const { slug, admin, add, list } = await shop();
  const { id } = await add();
  const { name, kinds, revision } = (await list())[0]!;
  const save = (wanted: { name: string; revision: number }) => admin.rpc.channels.edit({ project: slug, id, kinds, ...wanted });
  const answers = await Promise.all(["#one", "#two"].map((other) => save({ name: other, revision })));
  expect(answers.map(({ problems }) => problems.length).toSorted()).toEqual([0, 1]);
  await admin.rpc.channels.switch({ project: slug, id, isOn: false });
  const [saved] = await list();
  expect(saved!.name).not.toBe(name);
  expect(await save({ name: saved!.name, revision }), "the same once more").toEqual({ problems: [] });
  expect((await save({ name, revision })).problems[0]!.message).toContain("This channel has changed since you opened it.");
  expect(await list()).toEqual([saved]);
  await admin.rpc.channels.switch({ project: slug, id, isOn: true });
  expect(await save({ name, revision: saved!.revision })).toEqual({ problems: [] });
});

test("a project has a bounded number of channels, also when many are added concurrently", async () => {
  const { slug, admin, receiver } = await shop();
  const add = () => admin.rpc.channels.create({ project: slug, type: "Slack", name: "One", url: receiver.url, kinds: ["Quarantined"] });
  const made = await Promise.all(Array.from({ length: MAX_CHANNELS + 2 }, add));
  expect(made.filter((one) => "problems" in one)).toHaveLength(2);
  const { channels } = await admin.rpc.channels.list({ project: slug });
  await admin.rpc.channels.delete({ project: slug, id: channels[0]!.id });
  expect(await add()).toHaveProperty("id");
});
