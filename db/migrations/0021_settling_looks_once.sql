-- It looked for waiting facts from the beginning of the queue, under the environment's lock, each time that a period settled. The service looks for them itself, from the queue's floor on.
-- unused since 0006_lanes: the code looks into all fine lanes before it settles a period
DROP TRIGGER "await_facts" ON "leaderboard_periods";
--> statement-breakpoint
-- unused since 0006_lanes: only that trigger called it
DROP FUNCTION leaderboard_periods_await_facts();
