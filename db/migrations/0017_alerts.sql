CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" integer NOT NULL,
	"name" text NOT NULL,
	"figure" text NOT NULL,
	"kind" text,
	"subject" integer,
	"comparison" text NOT NULL,
	"basis" text NOT NULL,
	"threshold" double precision NOT NULL,
	"hours" smallint NOT NULL,
	"is_on" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"checked_at" timestamptz(3),
	"revision" integer DEFAULT 0 NOT NULL,
	"breaches" integer DEFAULT 0 NOT NULL,
	"breached_at" timestamptz(3),
	"value" double precision,
	"bound" double precision
);
--> statement-breakpoint
CREATE TABLE "analytics_hourly" (
	"environment_id" integer NOT NULL,
	"measure" text collate "C" NOT NULL,
	"subject" integer NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"count" bigint NOT NULL,
	"amount" numeric NOT NULL,
	CONSTRAINT "analytics_hourly_key" PRIMARY KEY("environment_id","measure","subject","day","hour")
);
--> statement-breakpoint
ALTER TABLE "analytics_deltas" ADD COLUMN "hour" smallint;--> statement-breakpoint
CREATE INDEX "alerts_environment_id_index" ON "alerts" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "alerts_checked_at_index" ON "alerts" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "analytics_hourly_day_index" ON "analytics_hourly" USING btree ("day");