CREATE TABLE "instances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"node" text NOT NULL,
	"is_serving" boolean NOT NULL,
	"is_working" boolean NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	"beat_at" timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
	"state" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention" (
	"environment_id" integer PRIMARY KEY NOT NULL,
	"event_days" integer,
	"request_days" integer,
	"purged_before" timestamptz(3),
	"after_part" smallint,
	"after_player_id" uuid,
	"passed_at" timestamptz(3),
	CONSTRAINT "retention_is_in_days" CHECK ("retention"."event_days" > 0 and "retention"."request_days" > 0),
	CONSTRAINT "a_place_is_whole" CHECK (("retention"."after_part" is null) = ("retention"."after_player_id" is null))
);
--> statement-breakpoint
ALTER TABLE "player_days" ADD COLUMN "is_kept" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "metric_totals" ADD COLUMN "purged" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "queued_facts" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "traceparent" text;