CREATE TABLE "leaderboard_blocks" (
	"period_id" integer NOT NULL,
	"block" integer NOT NULL,
	"lower" numeric,
	"upper" numeric,
	"bounds" numeric[] DEFAULT '{}' NOT NULL,
	"is_full" boolean DEFAULT false NOT NULL,
	CONSTRAINT "leaderboard_blocks_period_id_block_pk" PRIMARY KEY("period_id","block")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_contributions" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"period_id" integer NOT NULL,
	"team_key" text NOT NULL,
	"score" numeric NOT NULL,
	"reached_seq" bigint NOT NULL,
	"latest_at" timestamptz(3),
	CONSTRAINT "leaderboard_contributions_part_player_id_period_id_team_key_pk" PRIMARY KEY("part","player_id","period_id","team_key")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_counts" (
	"period_id" integer NOT NULL,
	"block" integer NOT NULL,
	"lane" smallint NOT NULL,
	"total" integer NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "leaderboard_counts_period_id_block_lane_pk" PRIMARY KEY("period_id","block","lane")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_periods" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leaderboard_periods_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"environment_id" integer NOT NULL,
	"leaderboard_id" integer NOT NULL,
	"start" text collate "C" NOT NULL,
	"number" integer NOT NULL,
	"starts_at" timestamptz(3),
	"ends_at" timestamptz(3),
	"settles_at" timestamptz(3),
	"step" text DEFAULT 'Open' NOT NULL,
	"due_at" timestamptz(3),
	"cursor" json,
	"seats" integer[] DEFAULT '{}' NOT NULL,
	"prizes" json,
	"participants" integer,
	"frozen_seq" bigint,
	"settled_at" timestamptz(3),
	CONSTRAINT "leaderboard_periods_leaderboard_id_start_unique" UNIQUE("leaderboard_id","start")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_scores" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"period_id" integer NOT NULL,
	"sort_score" numeric NOT NULL,
	"reached_seq" bigint NOT NULL,
	"latest_at" timestamptz(3),
	"team_key" text,
	"members" integer,
	CONSTRAINT "leaderboard_scores_part_player_id_period_id_pk" PRIMARY KEY("part","player_id","period_id")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_seats" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"period_id" integer NOT NULL,
	"first_seq" bigint NOT NULL,
	"tier" smallint,
	"group_number" integer,
	"outcome" text,
	CONSTRAINT "leaderboard_seats_part_player_id_period_id_pk" PRIMARY KEY("part","player_id","period_id")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_tiers" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"leaderboard_id" integer NOT NULL,
	"tier" smallint NOT NULL,
	CONSTRAINT "leaderboard_tiers_part_player_id_leaderboard_id_pk" PRIMARY KEY("part","player_id","leaderboard_id")
);
--> statement-breakpoint
CREATE INDEX "leaderboard_blocks_full" ON "leaderboard_blocks" USING btree ("period_id") WHERE is_full;--> statement-breakpoint
CREATE INDEX "leaderboard_contributions_of_a_team" ON "leaderboard_contributions" USING btree ("period_id","team_key","part","player_id");--> statement-breakpoint
CREATE INDEX "leaderboard_periods_to_settle" ON "leaderboard_periods" USING btree ("environment_id","due_at") WHERE step <> 'Settled';--> statement-breakpoint
CREATE INDEX "leaderboard_periods_environment_id_index" ON "leaderboard_periods" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "leaderboard_scores_in_order" ON "leaderboard_scores" USING btree ("period_id","sort_score","reached_seq","player_id");--> statement-breakpoint
CREATE INDEX "leaderboard_seats_to_give" ON "leaderboard_seats" USING btree ("period_id","first_seq") WHERE group_number is null;--> statement-breakpoint
CREATE INDEX "leaderboard_seats_of_a_group" ON "leaderboard_seats" USING btree ("period_id","tier","group_number");