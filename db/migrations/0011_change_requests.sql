CREATE TABLE "change_request_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "change_request_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"environment_id" integer NOT NULL,
	"request_id" uuid NOT NULL,
	"at" timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
	"user_id" uuid,
	"actor" text NOT NULL,
	"token" text,
	"action" text NOT NULL,
	"revision" integer NOT NULL,
	"text" text
);
--> statement-breakpoint
CREATE TABLE "change_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"title" text NOT NULL,
	"reason" text NOT NULL,
	"content" text,
	"subjects" text[] NOT NULL,
	"via" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'Open' NOT NULL,
	"due_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"user_id" uuid,
	"actor" text NOT NULL,
	"token" text,
	"editor_id" uuid,
	"editor" text NOT NULL,
	"approver_id" uuid,
	"approver" text,
	"is_alone" boolean DEFAULT false NOT NULL,
	"failure" json,
	"closed_at" timestamptz(3)
);
--> statement-breakpoint
ALTER TABLE "definition_versions" ADD COLUMN "request_id" uuid;--> statement-breakpoint
ALTER TABLE "definition_versions" ADD COLUMN "approver" text;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "approves" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "is_live_guarded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "change_request_events_request_id_id_index" ON "change_request_events" USING btree ("request_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "change_request_approved_once" ON "change_request_events" USING btree ("request_id","revision") WHERE action in ('Approved', 'WentAlone');--> statement-breakpoint
CREATE UNIQUE INDEX "change_request_applied_once" ON "change_request_events" USING btree ("request_id") WHERE action = 'Applied';--> statement-breakpoint
CREATE INDEX "change_requests_by_environment" ON "change_requests" USING btree ("environment_id","created_at");--> statement-breakpoint
CREATE INDEX "change_requests_open" ON "change_requests" USING btree ("environment_id") WHERE closed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "change_requests_one_to_turn_off" ON "change_requests" USING btree ("environment_id") WHERE content is null and closed_at is null;