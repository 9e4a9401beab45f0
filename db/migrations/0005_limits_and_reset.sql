CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"beat_at" timestamptz(3) DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "resets" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "only_a_sandbox_is_reset" CHECK ("environments"."resets" = 0 or "environments"."kind" = 'sandbox');