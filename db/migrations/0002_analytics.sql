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
ALTER TABLE "environments" ADD COLUMN "analytics_epoch" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "analytics_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "last_active_on" date;--> statement-breakpoint
ALTER TABLE "points_transactions" ADD COLUMN "source_definition_id" integer;--> statement-breakpoint
CREATE INDEX "analytics_deltas_environment_id_index" ON "analytics_deltas" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "players_to_count" ON "players" USING btree ("environment_id","analytics_epoch","part");