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
	"resets" integer NOT NULL,
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
ALTER TABLE "environments" DROP CONSTRAINT "only_a_sandbox_is_reset";--> statement-breakpoint
ALTER TABLE "definitions" ADD COLUMN "changed_at" timestamptz(3) DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "part_of" bigint;--> statement-breakpoint
ALTER TABLE "anonymous_owners" ADD CONSTRAINT "anonymous_owners_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "segment_counts_environment_id_index" ON "segment_counts" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "segment_counts_due_at_index" ON "segment_counts" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_part_of_audit_log_id_fk" FOREIGN KEY ("part_of") REFERENCES "public"."audit_log"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_part_of_id_index" ON "audit_log" USING btree ("part_of","id") WHERE part_of is not null;--> statement-breakpoint
CREATE INDEX "audit_log_of_a_subject" ON "audit_log" USING btree ("project_id","subject_kind","subject_key","id");--> statement-breakpoint
-- Until now a change was kept on the environment's clock alone. One that seems to be to come was made on a clock that was ahead.
UPDATE "definitions" SET "changed_at" = least("updated_at", now());
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
