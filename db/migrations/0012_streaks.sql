CREATE TABLE "streak_periods" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"streak_id" integer NOT NULL,
	"start" date NOT NULL,
	"state" text NOT NULL,
	CONSTRAINT "streak_periods_part_player_id_streak_id_start_pk" PRIMARY KEY("part","player_id","streak_id","start")
);
--> statement-breakpoint
CREATE TABLE "streak_runs" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"streak_id" integer NOT NULL,
	"origin" date NOT NULL,
	"first" date NOT NULL,
	"last" date NOT NULL,
	"length" integer NOT NULL,
	"freezes" integer NOT NULL,
	"paid" integer[] NOT NULL,
	CONSTRAINT "streak_runs_part_player_id_streak_id_origin_pk" PRIMARY KEY("part","player_id","streak_id","origin")
);
