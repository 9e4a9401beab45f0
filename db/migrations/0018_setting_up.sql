CREATE TABLE "recent_facts" (
	"environment_id" integer NOT NULL,
	"lane" smallint NOT NULL,
	"first_received_at" timestamptz(3) NOT NULL,
	"facts" jsonb NOT NULL,
	CONSTRAINT "recent_facts_environment_id_lane_pk" PRIMARY KEY("environment_id","lane")
);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("endpoint_id","created_at","id");