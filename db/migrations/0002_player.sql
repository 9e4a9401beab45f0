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
ALTER TABLE "environments" DROP CONSTRAINT "only_a_sandbox_is_reset";--> statement-breakpoint
ALTER TABLE "anonymous_owners" ADD CONSTRAINT "anonymous_owners_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_of_a_subject" ON "audit_log" USING btree ("project_id","subject_kind","subject_key","id");