CREATE TABLE "analytics_daily" (
	"environment_id" integer NOT NULL,
	"epoch" integer NOT NULL,
	"measure" text collate "C" NOT NULL,
	"day" date NOT NULL,
	"subject" integer DEFAULT 0 NOT NULL,
	"detail" text collate "C" DEFAULT '' NOT NULL,
	"count" bigint NOT NULL,
	"amount" numeric DEFAULT '0' NOT NULL,
	CONSTRAINT "analytics_daily_key" PRIMARY KEY("environment_id","epoch","measure","day","subject","detail")
);
--> statement-breakpoint
CREATE TABLE "analytics_deltas" (
	"environment_id" integer NOT NULL,
	"epoch" integer NOT NULL,
	"measure" text collate "C" NOT NULL,
	"day" date NOT NULL,
	"subject" integer DEFAULT 0 NOT NULL,
	"detail" text collate "C" DEFAULT '' NOT NULL,
	"count" bigint NOT NULL,
	"amount" numeric DEFAULT '0' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_snapshots" (
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"subject" integer NOT NULL,
	"day" date NOT NULL,
	"taken_at" timestamptz(3) NOT NULL,
	"buckets" jsonb DEFAULT '[]' NOT NULL,
	CONSTRAINT "analytics_snapshots_key" PRIMARY KEY("environment_id","kind","subject","day")
);
--> statement-breakpoint
CREATE TABLE "analytics_webhooks" (
	"environment_id" integer NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"quarter" timestamptz(3) NOT NULL,
	"attempts" integer NOT NULL,
	"delivered" integer NOT NULL,
	"retries" integer NOT NULL,
	"latencies" integer[] NOT NULL,
	CONSTRAINT "analytics_webhooks_key" PRIMARY KEY("environment_id","endpoint_id","quarter")
);
--> statement-breakpoint
CREATE TABLE "player_days" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	CONSTRAINT "player_days_part_player_id_day_pk" PRIMARY KEY("part","player_id","day")
);
--> statement-breakpoint
CREATE TABLE "definition_versions" (
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"active" boolean,
	"body" jsonb,
	"user_id" uuid,
	"actor" text,
	"token" text,
	"via" text NOT NULL,
	"at" timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "definition_versions_environment_id_kind_key_version_pk" PRIMARY KEY("environment_id","kind","key","version")
);
--> statement-breakpoint
CREATE TABLE "anonymous_owners" (
	"environment_id" integer NOT NULL,
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	CONSTRAINT "anonymous_owners_environment_id_part_player_id_pk" PRIMARY KEY("environment_id","part","player_id")
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"erased_at" timestamptz(3) NOT NULL,
	"actor" text NOT NULL,
	CONSTRAINT "erasures_part_player_id_erased_at_pk" PRIMARY KEY("part","player_id","erased_at")
);
--> statement-breakpoint
CREATE TABLE "segment_counts" (
	"segment_id" integer PRIMARY KEY NOT NULL,
	"environment_id" integer NOT NULL,
	"rule" text NOT NULL,
	"definitions_version" bigint NOT NULL,
	"clock_offset_ms" bigint NOT NULL,
	"due_at" timestamptz(3) DEFAULT now() NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"building" integer DEFAULT 0 NOT NULL,
	"started_at" timestamptz(3),
	"started_as_of" timestamptz(3),
	"last_external_id" text collate "C" DEFAULT '' NOT NULL,
	"players_so_far" bigint DEFAULT 0 NOT NULL,
	"members_so_far" bigint DEFAULT 0 NOT NULL,
	"players" bigint,
	"members" bigint,
	"counted_at" timestamptz(3),
	"as_of" timestamptz(3),
	"has_leftovers" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "segment_members" (
	"segment_id" integer NOT NULL,
	"generation" integer NOT NULL,
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	CONSTRAINT "segment_members_segment_id_generation_part_player_id_pk" PRIMARY KEY("segment_id","generation","part","player_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_answers" (
	"delivery_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	"headers" json NOT NULL,
	"body" "bytea" NOT NULL,
	"is_cut" boolean NOT NULL,
	CONSTRAINT "webhook_answers_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_hours" (
	"endpoint_id" uuid NOT NULL,
	"hour" timestamptz(3) NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	"latency_sum" bigint NOT NULL,
	"latency_max" integer NOT NULL,
	CONSTRAINT "webhook_hours_endpoint_id_hour_pk" PRIMARY KEY("endpoint_id","hour")
);
--> statement-breakpoint
CREATE TABLE "notice_choices" (
	"user_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"is_on" boolean NOT NULL,
	CONSTRAINT "notice_choices_user_id_project_id_kind_pk" PRIMARY KEY("user_id","project_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notice_mailings" (
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"mailed_at" timestamptz(3) NOT NULL,
	CONSTRAINT "notice_mailings_project_id_kind_pk" PRIMARY KEY("project_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notice_mails" (
	"mailing" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"leased_until" timestamptz(3),
	"sent_at" timestamptz(3),
	CONSTRAINT "notice_mails_mailing_user_id_pk" PRIMARY KEY("mailing","user_id")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment_id" integer NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"endpoint_id" uuid,
	"details" json NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"mailing" uuid,
	CONSTRAINT "notices_once" UNIQUE("environment_id","kind","cause")
);
--> statement-breakpoint
CREATE TABLE "event_tail" (
	"environment_id" integer NOT NULL,
	"request_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL,
	"key_id" uuid NOT NULL,
	"trace_id" text NOT NULL,
	"is_metric" boolean NOT NULL,
	"player" text,
	"event" text,
	"part" smallint,
	"player_id" uuid,
	"event_id" uuid,
	"code" text,
	"errors" text,
	"payload" text,
	CONSTRAINT "event_tail_environment_id_request_id_position_pk" PRIMARY KEY("environment_id","request_id","position")
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"environment_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamptz(3) NOT NULL,
	"key_id" uuid NOT NULL,
	"method" text NOT NULL,
	"route" text,
	"status" smallint NOT NULL,
	"code" text,
	"duration_ms" real NOT NULL,
	"trace_id" text NOT NULL,
	"accepted" integer,
	"refused" integer,
	"target" text,
	"body" text,
	"body_length" integer NOT NULL,
	"problem" text,
	CONSTRAINT "request_log_environment_id_id_pk" PRIMARY KEY("environment_id","id")
);
--> statement-breakpoint
CREATE TABLE "request_log_omissions" (
	"environment_id" integer NOT NULL,
	"minute" timestamptz(3) NOT NULL,
	"successes" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"accepted_items" bigint NOT NULL,
	"refused_items" bigint NOT NULL,
	CONSTRAINT "request_log_omissions_environment_id_minute_pk" PRIMARY KEY("environment_id","minute")
);
--> statement-breakpoint
ALTER TABLE "environments" DROP CONSTRAINT "only_a_sandbox_is_reset";--> statement-breakpoint
DROP INDEX "webhook_deliveries_newest";--> statement-breakpoint
ALTER TABLE "definitions" ADD COLUMN "changed_at" timestamptz(3) DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "request_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "part_of" bigint;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "analytics_epoch" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "keeps_bodies" boolean;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "analytics_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "last_active_on" date;--> statement-breakpoint
ALTER TABLE "points_transactions" ADD COLUMN "source_definition_id" integer;--> statement-breakpoint
ALTER TABLE "anonymous_owners" ADD CONSTRAINT "anonymous_owners_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_mailings" ADD CONSTRAINT "notice_mailings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_deltas_environment_id_index" ON "analytics_deltas" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "segment_counts_environment_id_index" ON "segment_counts" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "segment_counts_due_at_index" ON "segment_counts" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "webhook_answers_started_at_index" ON "webhook_answers" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "notice_mails_due" ON "notice_mails" USING btree ("created_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "notices_environment_id_created_at_index" ON "notices" USING btree ("environment_id","created_at");--> statement-breakpoint
CREATE INDEX "notices_to_mail" ON "notices" USING btree ("project_id","kind") WHERE mailing is null;--> statement-breakpoint
CREATE INDEX "notices_mailing_index" ON "notices" USING btree ("mailing");--> statement-breakpoint
CREATE INDEX "request_log_codes" ON "request_log" USING btree ("environment_id","code","id") WHERE code is not null;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_part_of_audit_log_id_fk" FOREIGN KEY ("part_of") REFERENCES "public"."audit_log"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_request" ON "audit_log" USING btree ("environment_id","request_id") WHERE request_id is not null;--> statement-breakpoint
CREATE INDEX "audit_log_part_of_id_index" ON "audit_log" USING btree ("part_of","id") WHERE part_of is not null;--> statement-breakpoint
CREATE INDEX "audit_log_of_a_subject" ON "audit_log" USING btree ("project_id","subject_kind","subject_key","id");--> statement-breakpoint
CREATE INDEX "players_to_count" ON "players" USING btree ("environment_id","analytics_epoch","part");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("endpoint_id","event","created_at","id") WHERE status = 'Failed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("endpoint_id","event","created_at","id");--> statement-breakpoint
-- Until now a change was kept on the environment's clock alone. One that seems to be to come was made on a clock that was ahead.
UPDATE "definitions" SET "changed_at" = least("updated_at", now());
--> statement-breakpoint
-- The attempts of webhooks from before they were counted (server/webhooks/store.ts counts the later ones). 33 buckets of latency, by the
-- bounds of `webhook_latency` in db/functions.sql, which does not exist yet.
INSERT INTO analytics_webhooks (environment_id, endpoint_id, quarter, attempts, delivered, retries, latencies)
SELECT s.environment_id, s.endpoint_id, s.quarter, count(*), count(*) FILTER (WHERE s.is_delivered), count(*) FILTER (WHERE s.number > 1),
  array(SELECT count(l.bucket) FROM generate_series(0, 32) n LEFT JOIN unnest(array_agg(s.bucket)) l(bucket) ON l.bucket = n GROUP BY n ORDER BY n)
FROM (
  SELECT d.environment_id, d.endpoint_id, a.number, date_bin('15 minutes', a.started_at, 'epoch') AS quarter,
    coalesce(a.response_status BETWEEN 200 AND 299, false) AS is_delivered,
    width_bucket(a.duration_ms, ARRAY[1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793, 8192, 11585, 16384, 23170, 32768, 46341, 65536]) AS bucket
  FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
) s GROUP BY 1, 2, 3;
--> statement-breakpoint
-- Definitions from before versions were kept begin with version 1: what they say now, by whoever last changed them in the audit log.
INSERT INTO "definition_versions" ("environment_id", "kind", "key", "version", "active", "body", "user_id", "actor", "token", "via", "at")
SELECT d."environment_id", d."kind", d."key", 1, d."active", d."body", a."user_id", a."actor", a."token", 'earlier', coalesce(a."at", d."updated_at")
FROM "definitions" d
LEFT JOIN (
  SELECT DISTINCT ON ("environment_id", "subject_kind", "subject_key") "environment_id", "subject_kind", "subject_key", "user_id", "actor", "token", "at"
  FROM "audit_log"
  ORDER BY "environment_id", "subject_kind", "subject_key", "id" DESC
) a ON a."environment_id" = d."environment_id" AND a."subject_kind" = d."kind" AND a."subject_key" = d."key"
WHERE d."kind" NOT IN ('rollup', 'settings')
ON CONFLICT DO NOTHING;
