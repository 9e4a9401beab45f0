CREATE TABLE "metric_events" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"definition_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL,
	"value" numeric NOT NULL,
	"currency_code" text,
	"exchange_rate" numeric,
	"normalized_value" numeric NOT NULL,
	"properties" json,
	CONSTRAINT "metric_events_part_player_id_id_pk" PRIMARY KEY("part","player_id","id")
);
--> statement-breakpoint
CREATE TABLE "metric_totals" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"definition_id" integer NOT NULL,
	"total" numeric NOT NULL,
	CONSTRAINT "metric_totals_part_player_id_definition_id_pk" PRIMARY KEY("part","player_id","definition_id")
);
--> statement-breakpoint
ALTER TABLE "quarantined_facts" ADD COLUMN "value" json;--> statement-breakpoint
ALTER TABLE "queued_facts" ADD COLUMN "value" json;