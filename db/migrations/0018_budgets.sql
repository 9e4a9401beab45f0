CREATE TABLE "budgets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"subject" integer NOT NULL,
	"measure" text NOT NULL,
	"period" text NOT NULL,
	"amount" bigint NOT NULL,
	"switches_off" boolean NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"told80_for" text,
	"told100_for" text,
	"checked_at" timestamptz(3),
	"used" bigint,
	CONSTRAINT "budgets_key" UNIQUE("environment_id","kind","subject","measure","period")
);
--> statement-breakpoint
CREATE INDEX "budgets_checked_at_index" ON "budgets" USING btree ("checked_at");