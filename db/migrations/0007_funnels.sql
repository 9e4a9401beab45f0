ALTER TABLE "environments" ADD COLUMN "funnels_since" timestamptz(3);--> statement-breakpoint
-- Funnels count the missions that are entered from now on; for an hour processes of older code may enter players without counting it.
-- Items are counted with their quantity from now on, so all history is counted anew.
-- safe: a row for each environment
update environments set analytics_epoch = analytics_epoch + 1, funnels_since = now() + clock_offset_ms * interval '1 ms' + interval '1 hour';--> statement-breakpoint
-- safe: of erased players alone, a row for each day and mission; their quantity is not known any more
update analytics_daily set amount = count where epoch = 0 and measure = 'items';--> statement-breakpoint
-- safe: those that the next compaction takes
update analytics_deltas set amount = count where epoch = 0 and measure = 'items';
