import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test } from "vitest";
import { transact } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { startDispatcher } from "./dispatcher.ts";
import { until } from "#db/testing/work.ts";
import { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { type Received, startReceiver, testCipher } from "../testing.ts";
import { createEndpoint, rotateSecret } from "./endpoints.ts";
import { reencryptSecrets } from "./secrets.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

const database = await testDatabase();
const { sql } = database;
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
  await sql`delete from webhook_deliveries`;
  await sql`delete from webhook_endpoints`;
});

const LAST_YEAR = new SecretCipher("the secret of last year");
const BOTH = new SecretCipher("the secret of this year", "the secret of last year");
const THIS_YEAR = new SecretCipher("the secret of this year");

async function shop(cipher: SecretCipher) {
  const { slug, sandbox } = await testProject(database);
  const receiver = await startReceiver();
  cleanUps.push(receiver.close);
  const endpoint = { url: receiver.url, events: ["mission.completed"] };
  const { id, secret } = await createEndpoint(database, sandbox, endpoint, { allowPrivateAddresses: true, cipher });
  return { slug, sandbox, receiver, id, secret };
}

/** Sends one notification by a dispatcher with this cipher; returns the received requests. */
async function toldBy(cipher: SecretCipher, { sandbox, receiver }: Awaited<ReturnType<typeof shop>>): Promise<Received> {
  const count = receiver.received.length;
  await tell(sandbox.id);
  const dispatcher = startDispatcher({ database, cipher, logger: { warn() {}, error() {} }, allowPrivateAddresses: true });
  await until(() => receiver.received.length > count);
  await dispatcher.stop();
  return receiver.received.at(-1)!;
}

async function tell(environmentId: number): Promise<void> {
  const event = "mission.completed" as const;
  const notification = { environmentId, event, sourceId: randomUUID(), data: {}, occurredAt: Date.now() };
  await transact(database, (tx) => enqueueDeliveries(tx, [notification]));
}

const verify = (secret: string, { headers, body }: Received) => new Webhook(secret).verify(body, headers as Record<string, string>);

/** The content of every non-empty table, as text. */
async function everything(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows = await Promise.all(tables.map(({ name }) => sql.unsafe<{ row: string }[]>(`select t::text as row from "${name}" t`)));
  return rows.flat().map(({ row }) => row).join("\n"); // oxfmt-ignore
}

test("no signing secret is in the database as plain text, neither a new nor a rotated one", async () => {
  const { sandbox, id, secret } = await shop(testCipher);
  const renewed = await rotateSecret(database, sandbox, id, testCipher);
  const kept = await everything();
  expect(kept).toContain(id);
  for (const one of [secret, renewed]) expect(kept).not.toContain(one.slice("whsec_".length));
  expect(kept).not.toContain("whsec_");
  const [row] = await sql`select secret, previous_secret from webhook_endpoints where id = ${id}`;
  expect(row).toEqual({ secret: expect.stringMatching(/^v1\./), previousSecret: expect.stringMatching(/^v1\./) });
  expect(testCipher.decrypt(id, row!["secret"])).toBe(renewed);
  expect(testCipher.decrypt(id, row!["previousSecret"])).toBe(secret);
});

test("after a change of AUTH_SECRET the previous value still reads all secrets, rotated ones too, until they are re-encrypted", async () => {
  const endpoint = await shop(LAST_YEAR);
  const renewed = await rotateSecret(database, endpoint.sandbox, endpoint.id, LAST_YEAR);
  const isSigned = (received: Received) => [endpoint.secret, renewed].forEach((secret) => void verify(secret, received));
  isSigned(await toldBy(LAST_YEAR, endpoint));
  isSigned(await toldBy(BOTH, endpoint));

  // Two processes start at the same time.
  const started = await Promise.all([reencryptSecrets(database, BOTH), reencryptSecrets(database, BOTH)]);
  expect(started.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(1);
  expect(started.flatMap(({ unreadable }) => unreadable)).toEqual([]);
  expect(await reencryptSecrets(database, BOTH)).toEqual({ count: 0, unreadable: [] });
  isSigned(await toldBy(BOTH, endpoint));
  isSigned(await toldBy(THIS_YEAR, endpoint));
});

test("re-encrypting during rotations loses no secret", async () => {
  const endpoint = await shop(LAST_YEAR);
  const secrets: string[] = [];
  const rotations = async () => {
    for (let at = 0; at < 5; at++) secrets.push(await rotateSecret(database, endpoint.sandbox, endpoint.id, at % 2 ? BOTH : LAST_YEAR));
  };
  const again = async () => {
    for (let at = 0; at < 20; at++) await reencryptSecrets(database, BOTH);
  };
  await Promise.all([rotations(), again()]);
  await reencryptSecrets(database, BOTH);
  const received = await toldBy(THIS_YEAR, endpoint);
  for (const secret of secrets.slice(-2)) verify(secret, received);
});

test("secrets that were kept as plain text are encrypted, and sign as before", async () => {
  const endpoint = await shop(testCipher);
  await sql`update webhook_endpoints set secret = ${endpoint.secret} where id = ${endpoint.id}`;
  expect(await reencryptSecrets(database, testCipher)).toEqual({ count: 1, unreadable: [] });
  expect(await everything()).not.toContain("whsec_");
  verify(endpoint.secret, await toldBy(testCipher, endpoint));
});

test("a process whose AUTH_SECRET cannot read a secret sends nothing and counts no attempt, says so, and leaves it to those that can", async () => {
  const endpoint = await shop(LAST_YEAR);
  const healthy = await shop(THIS_YEAR);
  const errors: object[] = [];
  const logger = { warn() {}, error: (fields: object, message: string) => void errors.push({ ...fields, message }) };
  const dispatcher = startDispatcher({ database, cipher: THIS_YEAR, logger, allowPrivateAddresses: true });
  cleanUps.push(() => dispatcher.stop());
  await tell(endpoint.sandbox.id);
  await tell(healthy.sandbox.id);
  await until(() => errors.length > 0 && healthy.receiver.received.length === 1);
  expect(errors[0]).toEqual({ endpointId: endpoint.id, message: expect.stringContaining("AUTH_SECRET_PREVIOUS") });
  // Unreadable secrets do not keep it from becoming idle.
  await dispatcher.idle();
  const [row] = await sql`select status, attempts from webhook_deliveries where endpoint_id = ${endpoint.id}`;
  expect(row).toEqual({ status: "Pending", attempts: 0 });
  expect(endpoint.receiver.received).toEqual([]);
  expect(await reencryptSecrets(database, THIS_YEAR)).toEqual({ count: 0, unreadable: [endpoint.id] });
  const received = await toldBy(BOTH, endpoint);
  verify(endpoint.secret, received);
});

test("an unreadable secret is shown, and a rotation repairs the endpoint", async () => {
  const endpoint = await shop(LAST_YEAR);
  const { rpc } = await signedIn(database, endpoint.slug, "Admin");
  const scope = { project: endpoint.slug, environment: "sandbox" as const };
  const one = async () => (await rpc.webhooks.list(scope)).endpoints[0]!;
  expect((await one()).secretProblem).toMatch(/cannot be read any more.*Rotate/);
  await expect(rpc.webhooks.ping({ ...scope, id: endpoint.id })).rejects.toThrow(/cannot be read any more/);
  const { secret } = await rpc.webhooks.rotateSecret({ ...scope, id: endpoint.id });
  expect(await one()).toMatchObject({ secretProblem: null, previousSecretUntil: null });
  expect(await rpc.webhooks.ping({ ...scope, id: endpoint.id })).toMatchObject({ isAccepted: true });
  const received = await toldBy(testCipher, endpoint);
  verify(secret, received);
  expect(received.headers["webhook-signature"]).not.toContain(" ");
});
