import microdiff from "microdiff";
import { randomUUID } from "node:crypto";
import { type Database, transact } from "#db/client.ts";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { note } from "../../people/notices/notices.ts";
import { SERVICE } from "../../model/kernel/environment.ts";
import type { KindRunner } from "../../model/kernel/runner.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { bodyOf, MAX_LISTED, PATIENCE } from "../../model/notices/channels.ts";
import { outcomeOf } from "../../model/webhooks/outcome.ts";
import { explainExchange } from "../../model/webhooks/words.ts";
import { openClient, type WebhookClient } from "../client.ts";
import * as store from "../store/channels.ts";
import { post, type Sending } from "./channels.ts";

const POLL_MS = 5_000;
const FORGET_MS = 60 * 60 * 1000;

/** A channel gets at most one message in this time, with all notices since the last one. */
const QUIET_MS = 60_000;

/** How many messages are posted at a time: in all, and for one organization, so that its dead channels delay no other's. */
const AT_ONCE = 10;
const SHARE = 2;
const TIMEOUT_MS = 10_000;
const LEASE_MS = 60_000;

/** The wait of a message whose channel this process cannot decrypt; another process may. */
const UNREADABLE_MS = 60_000;

/** Posts notices to the channels of their projects, in any number of processes. */
export function startChannels(options: PollingOptions & Sending): KindRunner {
  const { cipher, baseUrl, timeoutMs = TIMEOUT_MS } = options;
  const client = openClient({ ...options, timeoutMs });
  let isStopping = false;
  /** The attempts under way, with their organizations. */
  const underWay = new Map<Promise<void>, string>();
  const runner: KindRunner = startPolling(options, {
    pollMs: POLL_MS,
    fault: "messages to channels are postponed to the next poll",
    forget: { everyMs: FORGET_MS, run: store.deleteOldMessages },
    async look({ database, count, attempt }) {
      const filed = await store.fileNotices(database.sql);
      const begun = await beginMessages(database, baseUrl);
      const slots = { free: AT_ONCE - underWay.size, share: SHARE, busy: [...underWay.values()] };
      const claimed = await store.claimMessages(database.sql, slots, LEASE_MS);
      for (const message of claimed) {
        const posting: Promise<void> = attempt("posting to a channel", () =>
          postOne(database, client, cipher, message, () => isStopping),
        ).then((posted) => {
          underWay.delete(posting);
          count(posted);
          runner.wake();
        });
        underWay.set(posting, message.organizationId);
      }
      if (filed + begun + claimed.length > 0 && !isStopping) return "more";
      return underWay.size > 0 ? "later" : "nothing";
    },
  });
  return {
    ...runner,
    async stop() {
      isStopping = true;
      await client.close();
      await runner.stop();
      await Promise.all(underWay.keys());
    },
  };
}

/**
 * Writes a message for each channel whose notices wait. It is committed before its first attempt, so a crash in between loses and repeats
 * none. Returns the number of messages.
 */
async function beginMessages(database: Database, baseUrl: string): Promise<number> {
  for (let count = 0; ;) {
    const begun = await transact(database, async (tx) => {
      const channel = await store.lockWaiting(tx, QUIET_MS);
      if (channel === null) return null;
      const message = randomUUID();
      const taken = await store.takeWaiting(tx, channel.id, message, { quietMs: QUIET_MS, listed: MAX_LISTED });
      if (taken.count === 0) return 0;
      await store.insertMessage(tx, channel, message, bodyOf(channel.type, { ...channel, ...taken }, baseUrl));
      return 1;
    });
    if (begun === null) return count;
    count += begun;
  }
}

/** Posts a claimed message, outside any transaction. An attempt that `stop` interrupts is repeated when its lease ends. */
async function postOne(
  database: Database,
  client: WebhookClient,
  cipher: Sending["cipher"],
  message: store.ClaimedMessage,
  isStopping: () => boolean,
): Promise<number> {
  const exchange = await post(client, cipher, message);
  if (exchange === null) {
    await store.releaseMessage(database.sql, message, UNREADABLE_MS);
    return 0;
  }
  if (exchange.status === null && isStopping()) return 0;
  const outcome = outcomeOf(message.attempts, exchange, Math.random());
  if (outcome.status === "Delivered") {
    await store.recordSent(database.sql, message);
    await store.endFailing(database.sql, message.channelId);
  } else {
    const waitMs = outcome.status === "Pending" ? outcome.waitMs : null;
    await fail(database, message, { error: explainExchange(exchange), waitMs });
  }
  return 1;
}

/**
 * Records a failed attempt. A channel that has only failed for a day is switched off once, logged, and reported to the project's members.
 */
const fail = (database: Database, message: store.ClaimedMessage, failure: { error: string; waitMs: number | null }): Promise<void> =>
  transact(database, async (tx) => {
    const { channelId } = message;
    if (!(await store.recordFailed(tx, message, failure, PATIENCE))) return;
    const place = await store.selectChannelPlace(tx, channelId);
    if (place === null) return;
    const { projectId, environmentId, name } = place;
    const since = formatInstant(place.failingSince);
    const reason = `Switched off by the service: every attempt has failed since ${since}. ${failure.error}`;
    await store.switchChannelRow(tx, channelId, reason);
    const change = { projectId, environmentId: null, actor: SERVICE, action: "switch_off", subjectKind: "channel", subjectKey: name };
    await recordChange(tx, { ...change, difference: microdiff({ active: true }, { active: false }) });
    const cause = `${channelId} ${since}`;
    const details = { name, since, reason };
    await note(tx, { projectId, environmentId, kind: "ChannelSwitchedOff", cause, endpointId: null, subjectId: channelId, details });
  });
