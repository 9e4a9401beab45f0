import { boolean, index, integer, pgTable, primaryKey, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import { createdAt, insertedAt, instant, jsonText, randomId } from "./columns.ts";
import { userId } from "./identity.ts";
import { projects } from "./projects.ts";

/** One of `NOTICE_KINDS` (server/model/notices/kinds.ts). */
const kind = () => text("kind").notNull();
const projectId = () =>
  uuid("project_id")
    .notNull()
    .references(() => projects.id);

/** A notice for users, one per cause. All times are real. */
export const notices = pgTable(
  "notices",
  {
    id: randomId(),
    environmentId: integer("environment_id").notNull(),
    projectId: projectId(),
    kind: kind(),
    /** Identifies the cause, so that each is reported once: an endpoint and since when it fails, the last fact in quarantine. */
    cause: text("cause").notNull(),
    endpointId: uuid("endpoint_id"),
    /** Its subject, if not an endpoint: a channel, a change request, an alert. */
    subjectId: uuid("subject_id"),
    /** The recipients; null: all members who have chosen its kind. */
    forUsers: uuid("for_users").array(),
    /** In a notice that a problem is over, the notice of that problem; null in a notice of a problem. */
    overOf: uuid("over_of"),
    /** When the problem was found to be over. Each problem has one notice of its end. */
    overAt: instant("over_at"),
    /** When it was filed for the channels of its project. */
    filedAt: instant("filed_at"),
    /** The content of the mail, as of the notice's creation. */
    details: jsonText("details").notNull(),
    createdAt: createdAt(),
    /** The mailing that included it; null while pending. */
    mailing: uuid("mailing"),
  },
  (table) => [
    unique("notices_once").on(table.environmentId, table.kind, table.cause),
    index().on(table.environmentId, table.createdAt),
    index("notices_to_mail")
      .on(table.projectId, table.kind)
      .where(sql`mailing is null`),
    index().on(table.mailing),
    index("notices_to_file")
      .on(table.createdAt)
      .where(sql`filed_at is null`),
    index("notices_not_over")
      .on(table.environmentId)
      .where(sql`over_at is null and over_of is null`),
  ],
);

/** When a project was last mailed about a kind: one mailing an hour. Its row is the lock between workers that would both start one. */
export const noticeMailings = pgTable(
  "notice_mailings",
  { projectId: projectId(), kind: kind(), mailedAt: instant("mailed_at").notNull() },
  (table) => [primaryKey({ columns: [table.projectId, table.kind] })],
);

/** Mails that are due, one for each member of a mailing. `leasedUntil` is when the sender's lease expires. */
export const noticeMails = pgTable(
  "notice_mails",
  {
    mailing: uuid("mailing").notNull(),
    userId: userId(),
    createdAt: createdAt(),
    attempts: smallint("attempts").notNull().default(0),
    leasedUntil: instant("leased_until"),
    sentAt: instant("sent_at"),
  },
  (table) => [
    primaryKey({ columns: [table.mailing, table.userId] }),
    index("notice_mails_due")
      .on(table.createdAt)
      .where(sql`sent_at is null`),
  ],
);

/** A member's mail preferences in a project. No row: the defaults of the role. */
export const noticeChoices = pgTable(
  "notice_choices",
  {
    userId: userId(),
    projectId: projectId(),
    kind: kind(),
    isOn: boolean("is_on").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.projectId, table.kind] })],
);

/**
 * Where a project's notices are posted: a Slack-compatible incoming webhook, or a signed webhook. URL and secret are encrypted for this
 * channel (server/model/webhooks/secret-cipher.ts): the URL of an incoming webhook is its password.
 */
export const noticeChannels = pgTable(
  "notice_channels",
  {
    id: uuid("id").primaryKey(),
    projectId: projectId(),
    type: text("type", { enum: ["Slack", "Signed"] }).notNull(),
    name: text("name").notNull(),
    kinds: text("kinds").array().notNull(),
    /** Incremented by every change of name or kinds: a save over a change that its author has not seen is refused. */
    revision: integer("revision").notNull().default(0),
    url: text("url").notNull(),
    /** The part of the URL that may be shown. */
    shownUrl: text("shown_url").notNull(),
    /** Null for Slack. */
    secret: text("secret"),
    createdAt: createdAt(),
    /** Since when every attempt has failed, and how many; null and 0 after a success. */
    failingSince: instant("failing_since"),
    failures: integer("failures").notNull().default(0),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason"),
  },
  (table) => [index().on(table.projectId)],
);

/** Notices filed for a channel, each once; `message` is the message that includes it, null while it waits. */
export const channelNotices = pgTable(
  "channel_notices",
  {
    channelId: uuid("channel_id").notNull(),
    noticeId: uuid("notice_id").notNull(),
    projectId: projectId(),
    createdAt: createdAt(),
    message: uuid("message"),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.noticeId] }),
    index("channel_notices_waiting")
      .on(table.channelId)
      .where(sql`message is null`),
    index().on(table.projectId),
  ],
);

/**
 * Messages to channels: written before the first attempt, and posted with the same id and body until one is accepted or all have failed.
 */
export const channelMessages = pgTable(
  "channel_messages",
  {
    id: uuid("id").primaryKey(),
    channelId: uuid("channel_id").notNull(),
    projectId: projectId(),
    body: jsonText("body").notNull(),
    createdAt: createdAt(),
    attempts: smallint("attempts").notNull().default(0),
    /** The next attempt; while one runs, when its lease ends. */
    dueAt: insertedAt("due_at"),
    sentAt: instant("sent_at"),
    givenUpAt: instant("given_up_at"),
    /** Why the last attempt failed. */
    error: text("error"),
  },
  (table) => [
    index().on(table.channelId, table.createdAt),
    index("channel_messages_due")
      .on(table.dueAt)
      .where(sql`sent_at is null and given_up_at is null`),
    index().on(table.projectId),
  ],
);
