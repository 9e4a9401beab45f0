-- Rollups are rewritten with every event of theirs: an update stays on its page.
ALTER TABLE "rollups" SET (fillfactor = 80);
--> statement-breakpoint
-- A player's list of completed missions now has those that repeat as well: conditions ask whether a mission was ever completed.
UPDATE players p SET completed_missions = c.ids
FROM (SELECT part, player_id, array_agg(DISTINCT mission_id) AS ids FROM mission_completions GROUP BY part, player_id) c
WHERE c.part = p.part AND c.player_id = p.player_id;
