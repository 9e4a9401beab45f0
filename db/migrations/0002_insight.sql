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
ALTER TABLE "definitions" ADD COLUMN "changed_at" timestamptz(3) DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "part_of" bigint;--> statement-breakpoint
CREATE INDEX "segment_counts_environment_id_index" ON "segment_counts" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "segment_counts_due_at_index" ON "segment_counts" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_part_of_audit_log_id_fk" FOREIGN KEY ("part_of") REFERENCES "public"."audit_log"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_part_of_id_index" ON "audit_log" USING btree ("part_of","id") WHERE part_of is not null;--> statement-breakpoint
-- Until now a change was kept on the environment's clock alone. One that seems to be to come was made on a clock that was ahead.
UPDATE "definitions" SET "changed_at" = least("updated_at", now());
