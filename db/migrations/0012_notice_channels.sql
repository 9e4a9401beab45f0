CREATE TABLE "channel_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"body" json NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamptz(3) DEFAULT now() NOT NULL,
	"sent_at" timestamptz(3),
	"given_up_at" timestamptz(3),
	"error" text
);
--> statement-breakpoint
CREATE TABLE "channel_notices" (
	"channel_id" uuid NOT NULL,
	"notice_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"message" uuid,
	CONSTRAINT "channel_notices_channel_id_notice_id_pk" PRIMARY KEY("channel_id","notice_id")
);
--> statement-breakpoint
CREATE TABLE "notice_channels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"kinds" text[] NOT NULL,
	"url" text NOT NULL,
	"shown_url" text NOT NULL,
	"secret" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"failing_since" timestamptz(3),
	"failures" integer DEFAULT 0 NOT NULL,
	"disabled_at" timestamptz(3),
	"disabled_reason" text
);
--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "over_of" uuid;--> statement-breakpoint
-- Earlier notices count as over and filed: none of them is told again.
ALTER TABLE "notices" ADD COLUMN "over_at" timestamptz(3) DEFAULT now();--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "over_at" DROP DEFAULT;--> statement-breakpoint
-- Earlier notices count as over and filed: none of them is told again.
ALTER TABLE "notices" ADD COLUMN "filed_at" timestamptz(3) DEFAULT now();--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "filed_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_notices" ADD CONSTRAINT "channel_notices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_channels" ADD CONSTRAINT "notice_channels_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channel_messages_channel_id_created_at_index" ON "channel_messages" USING btree ("channel_id","created_at");--> statement-breakpoint
CREATE INDEX "channel_messages_due" ON "channel_messages" USING btree ("due_at") WHERE sent_at is null and given_up_at is null;--> statement-breakpoint
CREATE INDEX "channel_messages_project_id_index" ON "channel_messages" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "channel_notices_waiting" ON "channel_notices" USING btree ("channel_id") WHERE message is null;--> statement-breakpoint
CREATE INDEX "channel_notices_project_id_index" ON "channel_notices" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "notice_channels_project_id_index" ON "notice_channels" USING btree ("project_id");--> statement-breakpoint
-- safe: a project has a few notices a day at most
CREATE INDEX "notices_to_file" ON "notices" USING btree ("created_at") WHERE filed_at is null;--> statement-breakpoint
-- safe: a project has a few notices a day at most
CREATE INDEX "notices_not_over" ON "notices" USING btree ("environment_id") WHERE over_at is null and over_of is null;