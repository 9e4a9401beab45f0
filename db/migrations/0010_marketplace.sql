CREATE TABLE "marketplace_purchases" (
	"part" smallint NOT NULL,
	"player_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"environment_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"listing_id" integer NOT NULL,
	"listing_key" text NOT NULL,
	"round" text collate "C" NOT NULL,
	"occurrence_number" integer NOT NULL,
	"name" json NOT NULL,
	"contents" json NOT NULL,
	"price" bigint NOT NULL,
	"limit_per_player" integer,
	"idempotency_key" text,
	"purchased_at" timestamptz(3) NOT NULL,
	"reversed_at" timestamptz(3),
	"reversal_reason" text,
	CONSTRAINT "marketplace_purchases_part_player_id_id_pk" PRIMARY KEY("part","player_id","id")
);
--> statement-breakpoint
CREATE TABLE "marketplace_rounds" (
	"listing_id" integer NOT NULL,
	"round" text collate "C" NOT NULL,
	"environment_id" integer NOT NULL,
	"sold" integer NOT NULL,
	"stock" integer,
	CONSTRAINT "marketplace_rounds_listing_id_round_pk" PRIMARY KEY("listing_id","round"),
	CONSTRAINT "sold_within_stock" CHECK ("marketplace_rounds"."sold" between 0 and coalesce("marketplace_rounds"."stock", "marketplace_rounds"."sold"))
);
--> statement-breakpoint
CREATE INDEX "marketplace_purchases_newest_first" ON "marketplace_purchases" USING btree ("part","player_id","purchased_at" DESC NULLS LAST,"seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "marketplace_purchases_of_a_round" ON "marketplace_purchases" USING btree ("part","player_id","listing_id","round") WHERE reversed_at is null;--> statement-breakpoint
CREATE INDEX "marketplace_purchases_by_id" ON "marketplace_purchases" USING btree ("environment_id","id");