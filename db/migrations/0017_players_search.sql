ALTER TABLE "players" ALTER COLUMN "external_id" SET DATA TYPE text collate "C";--> statement-breakpoint
CREATE INDEX "players_by_display_name" ON "players" USING btree ("environment_id",(lower("display_name") collate "C")) WHERE display_name is not null;--> statement-breakpoint
CREATE INDEX "players_by_creation" ON "players" USING btree ("environment_id","created_at");