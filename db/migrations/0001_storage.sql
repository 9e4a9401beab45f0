-- Rows that are rewritten with every fact leave room on their page, so that an update stays on it and touches no index.
ALTER TABLE "mission_states" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "balances" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "players" SET (fillfactor = 90);
--> statement-breakpoint
-- The queue is as long as its backlog but churns with every event: cleaned by count, not by share of the table.
ALTER TABLE "queued_facts" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" SET (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.02);
