import microdiff from "microdiff";
import { randomBytes, randomUUID } from "node:crypto";
import { type Database, selectNow, type Transaction, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { changedSince, type Edited } from "../../model/kernel/revisions.ts";
import { isUuid } from "../../model/kernel/stored.ts";
import { bodyOf, CHANNEL_TYPES, type ChannelType, MAX_CHANNELS, NOTICES_EVENT } from "../../model/notices/channels.ts";
import { NOTICE_KINDS, type NoticeKind } from "../../model/notices/kinds.ts";
import { RefusedEndpoint } from "../../model/webhooks/destination.ts";
import { outcomeOf } from "../../model/webhooks/outcome.ts";
import { headersOf, writeEnvelope } from "../../model/webhooks/request.ts";
import { NONCE_BYTES, type SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { explainExchange } from "../../model/webhooks/words.ts";
import { type ClientOptions, type Exchange, openClient, type WebhookClient } from "../client.ts";
import * as store from "../store/channels.ts";
import { type Addressing, checkUrl } from "./endpoints.ts";
import { makeSecret, urlOf } from "./secrets.ts";

export { CHANNEL_TYPES, type ChannelType };

/** The settings of a channel that can be changed. Its URL and secret are fixed when it is created. */
export interface WantedChannel {
  name: string;
  kinds: readonly NoticeKind[];
}

type Project = Pick<Environment, "projectId">;

/** Everything that is needed to post. */
export interface Sending extends Pick<ClientOptions, "allowPrivateAddresses" | "resolve" | "timeoutMs"> {
  cipher: SecretCipher;
  /** The public address of the dashboard, without a trailing slash. */
  baseUrl: string;
}

/** Adds a channel. The secret of a signed webhook is shown once; null for Slack. Throws RefusedEndpoint, whose pointers are the fields. */
export async function createChannel(
  database: Database,
  { projectId }: Project,
  { type, url, ...wanted }: WantedChannel & { type: ChannelType; url: string },
  { cipher, ...addressing }: Addressing & { cipher: SecretCipher },
  actor: Actor,
): Promise<{ id: string; secret: string | null; isResolved: boolean }> {
  const settings = settingsOf(wanted);
  const { href, isResolved } = await checkUrl(url, addressing, problemsOf(settings));
  const id = randomUUID();
  const made = type === "Signed" ? makeSecret(cipher, id) : null;
  const encryptedUrl = cipher.encrypt(urlOf(id), href, randomBytes(NONCE_BYTES));
  await transact(database, async (tx) => {
    if ((await store.countChannels(tx, projectId)) >= MAX_CHANNELS) {
      throw new RefusedEndpoint({ pointer: "#/name", message: `A project has at most ${MAX_CHANNELS} channels. Delete one first.` });
    }
    const channel = {
      id,
      projectId,
      type,
      ...settings,
      url: encryptedUrl,
      secret: made?.encrypted ?? null,
      shownUrl: shownUrlOf(href),
    };
    await store.insertChannel(tx, channel);
    await record(tx, projectId, actor, "create", settings.name, microdiff({}, { type, ...settings }));
  });
  return { id, secret: made?.secret ?? null, isResolved };
}

const MAX_NAME = 100;

const settingsOf = ({ name, kinds }: WantedChannel) => ({ name: name.trim(), kinds: NOTICE_KINDS.filter((kind) => kinds.includes(kind)) });

const problemsOf = ({ name, kinds }: WantedChannel): FieldProblem[] => [
  ...(name === "" ? [{ pointer: "#/name", message: "Enter a name." }] : []),
  ...(name.length > MAX_NAME ? [{ pointer: "#/name", message: `Use at most ${MAX_NAME} characters.` }] : []),
  ...(kinds.length === 0 ? [{ pointer: "#/kinds", message: "Select at least one notification." }] : []),
];

/** The path of an incoming webhook is its password, so only the origin is shown. */
function shownUrlOf(href: string): string {
  const { origin, pathname, search } = new URL(href);
  return pathname === "/" && search === "" ? origin : `${origin}/…`;
}

/** Changes name and kinds. Throws OperatorError. */
export const editChannel = (
  database: Database,
  project: Project,
  edited: Edited & { id: string },
  wanted: WantedChannel,
  actor: Actor,
): Promise<void> => {
  const settings = settingsOf(wanted);
  const problems = problemsOf(settings);
  if (problems.length > 0) throw new RefusedEndpoint(...problems);
  return change(database, project, edited.id, async (tx, before) => {
    const { id, name, kinds } = before;
    const difference = microdiff({ name, kinds }, settings);
    // A repeated save changes nothing, and is no conflict with itself.
    if (difference.length === 0) return;
    const conflict = changedSince("channel", edited, before);
    if (conflict.length > 0) throw new RefusedEndpoint(...conflict);
    await store.updateChannel(tx, id, settings);
    await record(tx, project.projectId, actor, "update", settings.name, difference);
  });
};

/** Switches a channel off, which discards its waiting messages, or on again. Throws OperatorError. */
export const switchChannel = (database: Database, project: Project, id: string, isOn: boolean, actor: Actor): Promise<void> =>
  change(database, project, id, async (tx, { name, disabledAt }) => {
    if ((disabledAt === null) === isOn) return;
    await store.switchChannelRow(tx, id, isOn ? null : `Switched off by ${actor.name}.`);
    await record(tx, project.projectId, actor, isOn ? "switch_on" : "switch_off", name, microdiff({ active: !isOn }, { active: isOn }));
  });

/** Deletes a channel with its messages. Throws OperatorError. */
export const deleteChannel = (database: Database, project: Project, id: string, actor: Actor): Promise<void> =>
  change(database, project, id, async (tx, { name, type, kinds }) => {
    await store.deleteChannelRow(tx, id);
    await record(tx, project.projectId, actor, "delete", name, microdiff({ type, name, kinds }, {}));
  });

/** The channels of a project, oldest first; URLs and secrets are encrypted. */
export const listChannels = ({ sql }: Database, { projectId }: Project): Promise<store.ListedChannel[]> =>
  store.selectChannels(sql, projectId);

/** The result of a test: whether the receiver accepted it, and what its answer means. */
export interface TestAnswer {
  isAccepted: boolean;
  words: string;
}

const UNREADABLE = "The channel's URL or secret cannot be decrypted, because the service's AUTH_SECRET was changed. Add the channel again.";

/** Posts a test to a channel, on or off, and waits for the answer. It has no row and is not retried. Throws OperatorError. */
export async function testChannel(
  database: Database,
  project: Project & { projectSlug: string; projectName: string },
  id: string,
  { cipher, baseUrl, ...options }: Sending,
): Promise<TestAnswer> {
  const channel = await transact(database, (tx) => found(tx, project, id));
  const now = await selectNow(database.sql);
  const test = { projectSlug: project.projectSlug, projectName: project.projectName, notices: [], count: 0, isTest: true };
  const { type, url, secret } = channel;
  const message = { id: randomUUID(), channelId: id, type, url, secret, body: bodyOf(type, test, baseUrl), createdAt: now, leasedAt: now };
  const client = openClient(options);
  try {
    const exchange = await post(client, cipher, message);
    if (exchange === null) throw new OperatorError(UNREADABLE);
    const isAccepted = outcomeOf(1, exchange, 0).status === "Delivered";
    if (isAccepted) await store.endFailing(database.sql, id);
    return { isAccepted, words: explainExchange(exchange) };
  } finally {
    await client.close();
  }
}

/** Posts a message once; null if the channel's URL or secret cannot be read. Never rejects. */
export async function post(
  client: WebhookClient,
  cipher: SecretCipher,
  { id, channelId, type, url, secret, body, createdAt, leasedAt }: Omit<store.ClaimedMessage, "attempts" | "organizationId">,
): Promise<Exchange | null> {
  const target = cipher.decrypt(urlOf(channelId), url);
  if (target === null) return null;
  if (type === "Slack") return client.post(target, { "content-type": "application/json", "user-agent": USER_AGENT }, body);
  const plain = secret === null ? null : cipher.decrypt(channelId, secret);
  if (plain === null) return null;
  const text = writeEnvelope({ id, event: NOTICES_EVENT, data: body, occurredAt: createdAt });
  return client.post(target, headersOf({ id, event: NOTICES_EVENT, secret: plain, previousSecret: null }, leasedAt, text), text);
}

const USER_AGENT = "Engagement-Notices/1";

const change = <T>(database: Database, project: Project, id: string, run: (tx: Transaction, channel: store.ChannelRow) => Promise<T>) =>
  transact(database, async (tx) => run(tx, await found(tx, project, id)));

async function found(tx: Transaction, { projectId }: Project, id: string): Promise<store.ChannelRow> {
  const channel = isUuid(id) ? await store.lockChannel(tx, projectId, id) : null;
  if (channel === null) throw new OperatorError(`There is no channel ${id} in this project.`);
  return channel;
}

const record = (tx: Transaction, projectId: string, actor: Actor, action: string, name: string, difference: unknown) =>
  recordChange(tx, { projectId, environmentId: null, actor, action, subjectKind: "channel", subjectKey: name, difference });
