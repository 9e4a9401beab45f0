-- Rows that are rewritten with every fact or sale leave room on their page: an update stays there and touches no index.
ALTER TABLE "mission_states" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "balances" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "players" SET (fillfactor = 90);
--> statement-breakpoint
ALTER TABLE "rollups" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "leaderboard_scores" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "streak_runs" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "marketplace_rounds" SET (fillfactor = 50);
--> statement-breakpoint
-- The queue is as long as its backlog but changes with every event: it is cleaned by count, not by share of the table.
ALTER TABLE "queued_facts" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" SET (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.02);
