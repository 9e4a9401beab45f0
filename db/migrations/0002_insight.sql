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
