CREATE TABLE "scheduled_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"document" text NOT NULL,
	"base_version" integer NOT NULL,
	"due_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"user_id" uuid,
	"actor" text NOT NULL,
	"token" text,
	"failed_at" timestamptz(3),
	"failure" json
);
--> statement-breakpoint
CREATE INDEX "scheduled_changes_environment_id_kind_key_index" ON "scheduled_changes" USING btree ("environment_id","kind","key");--> statement-breakpoint
CREATE INDEX "scheduled_changes_environment_id_due_at_index" ON "scheduled_changes" USING btree ("environment_id","due_at") WHERE failed_at is null;