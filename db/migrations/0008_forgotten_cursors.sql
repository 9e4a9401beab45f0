-- The external id at which a finished count or fill ended may be that of a player who was erased since. Counts that go on end in an empty one.
-- safe: a row for each segment
UPDATE "segment_counts" SET "last_external_id" = '' WHERE "started_at" IS NULL AND "last_external_id" <> '';--> statement-breakpoint
-- safe: a row for each board over an attribute
UPDATE "leaderboard_fills" SET "last_external_id" = '' WHERE "is_through" AND "last_external_id" <> '';
