-- Lanes follow shards: the fine lane of a part is the first six bits of its hash, of which Citus' shards are ranges (server/model/kernel/lanes.ts).
-- Code before this migration queues facts by `part >> 4`. Here each goes to the fine lane of its player, so that those of newer code keep their order with them. A worker of older code takes any lane and looks no fact up by its part's lane, but for moving one to the quarantine: docs/upgrading.md says so.
-- The trigger is to be dropped when no code before this migration may run any more.
CREATE OR REPLACE FUNCTION queued_facts_fine_lane() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  new.lane := (hashint2(new.part)::bigint + 2147483648) >> 26;
  return new;
end $$;
--> statement-breakpoint
-- This holds up who queues facts, and who works them off, until all of them are moved: a player's facts must never wait in two lanes.
CREATE OR REPLACE TRIGGER "fine_lane" BEFORE INSERT ON "queued_facts" FOR EACH ROW
  WHEN (new.lane <> (hashint2(new.part)::bigint + 2147483648) >> 26) EXECUTE FUNCTION queued_facts_fine_lane();
--> statement-breakpoint
-- safe: few facts wait where workers keep up; a million that wait take some fifteen seconds
update queued_facts set lane = (hashint2(part)::bigint + 2147483648) >> 26 where lane <> (hashint2(part)::bigint + 2147483648) >> 26;
