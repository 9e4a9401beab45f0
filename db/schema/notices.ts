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

/** A notice for users, one per cause. All times are real. */
export const notices = pgTable(
  "notices",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    environmentId: integer("environment_id").notNull(),
    projectId: projectId(),
    kind: kind(),
    /** Identifies the cause, so that each is reported once: an endpoint and since when it fails, the last fact in quarantine. */
    cause: text("cause").notNull(),
    endpointId: uuid("endpoint_id"),
    /** The content for the mail, as of that moment. */
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

/** A member's mail preferences in a project. No row: the defaults of the role. */
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
