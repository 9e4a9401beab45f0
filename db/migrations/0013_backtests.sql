CREATE TABLE "backtests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"document" text NOT NULL,
	"along" text NOT NULL,
	"fingerprint" text NOT NULL,
	"days" integer NOT NULL,
	"entry" text NOT NULL,
	"sample" integer NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"status" text DEFAULT 'Waiting' NOT NULL,
	"is_cancelled" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease" uuid,
	"leased_until" timestamptz(3),
	"done" integer DEFAULT 0 NOT NULL,
	"planned" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamptz(3),
	"result" json,
	"error" text
);
--> statement-breakpoint
CREATE INDEX "backtests_environment_id_kind_key_created_at_index" ON "backtests" USING btree ("environment_id","kind","key","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "backtests_one_at_a_time" ON "backtests" USING btree ("environment_id") WHERE status in ('Waiting', 'Running');