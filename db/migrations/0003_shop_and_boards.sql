ALTER TABLE "players" ADD COLUMN "hidden_at" timestamptz(3);--> statement-breakpoint
CREATE INDEX "marketplace_purchases_by_time" ON "marketplace_purchases" USING btree ("environment_id","purchased_at","seq");--> statement-breakpoint
CREATE INDEX "marketplace_purchases_of_a_listing" ON "marketplace_purchases" USING btree ("environment_id","listing_key","purchased_at","seq");--> statement-breakpoint
CREATE INDEX "marketplace_purchases_reversed" ON "marketplace_purchases" USING btree ("environment_id","purchased_at","seq") WHERE reversed_at is not null;