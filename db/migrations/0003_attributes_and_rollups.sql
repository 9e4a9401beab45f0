CREATE TABLE "attribute_values" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"attribute_id" integer NOT NULL,
	"value" json NOT NULL,
	"occurred_at" timestamptz(3) NOT NULL,
	CONSTRAINT "attribute_values_part_player_id_attribute_id_pk" PRIMARY KEY("part","player_id","attribute_id")
);
--> statement-breakpoint
CREATE TABLE "rollups" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"rollup_id" integer NOT NULL,
	"bucket" text collate "C" NOT NULL,
	"reading" text NOT NULL,
	CONSTRAINT "rollups_part_player_id_rollup_id_bucket_pk" PRIMARY KEY("part","player_id","rollup_id","bucket")
);
