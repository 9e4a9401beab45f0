import { boolean, index, integer, pgTable, primaryKey, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import { createdAt, instant, jsonText } from "./columns.ts";
import { users } from "./identity.ts";
import { projects } from "./projects.ts";

const KINDS = { enum: ["EndpointFailingHour", "EndpointFailingDay", "EndpointSwitchedOff", "Quarantined"] } as const;

const kind = () => text("kind", KINDS).notNull();
const projectId = () =>
  uuid("project_id")
    .notNull()
    .references(() => projects.id);

/** Something that people should know of, once for each cause. All times are real. */
export const notices = pgTable(
  "notices",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    environmentId: integer("environment_id").notNull(),
    projectId: projectId(),
    kind: kind(),
    /** Names what happened, so that it is told once: an endpoint and since when it fails, the last fact in quarantine. */
    cause: text("cause").notNull(),
    endpointId: uuid("endpoint_id"),
    /** What the mail says of it, as it was. */
    details: jsonText("details").notNull(),
    createdAt: createdAt(),
    /** The mailing that it went out with; null while it waits for one. */
    mailing: uuid("mailing"),
  },
  (table) => [
    unique("notices_once").on(table.environmentId, table.kind, table.cause),
    index().on(table.environmentId, table.createdAt),
    index("notices_to_mail")
      .on(table.projectId, table.kind)
      .where(sql`mailing is null`),
    index().on(table.mailing),
  ],
);

/** When a project was last mailed about a kind: one mailing an hour. Its row is the lock of two workers who would both begin one. */
export const noticeMailings = pgTable(
  "notice_mailings",
  { projectId: projectId(), kind: kind(), mailedAt: instant("mailed_at").notNull() },
  (table) => [primaryKey({ columns: [table.projectId, table.kind] })],
);

/** Mails that are due, one for each member of a mailing. `leasedUntil` is when whoever sends it is taken for dead. */
export const noticeMails = pgTable(
  "notice_mails",
  {
    mailing: uuid("mailing").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
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

/** What a member has chosen to be mailed about in a project. Without a row it is as the role has it. */
export const noticeChoices = pgTable(
  "notice_choices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    projectId: projectId(),
    kind: kind(),
    isOn: boolean("is_on").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.projectId, table.kind] })],
);
