ALTER TABLE "webhook_hours" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "webhook_hours" CASCADE;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "hidden_at" timestamptz(3);--> statement-breakpoint
CREATE INDEX "marketplace_purchases_by_time" ON "marketplace_purchases" USING btree ("environment_id","purchased_at","seq");--> statement-breakpoint
CREATE INDEX "marketplace_purchases_of_a_listing" ON "marketplace_purchases" USING btree ("environment_id","listing_key","purchased_at","seq");--> statement-breakpoint
CREATE INDEX "marketplace_purchases_reversed" ON "marketplace_purchases" USING btree ("environment_id","purchased_at","seq") WHERE reversed_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_a_player" ON "webhook_deliveries" USING btree ("environment_id",("data" ->> 'playerExternalId'),"created_at","id") WHERE data ->> 'playerExternalId' is not null;