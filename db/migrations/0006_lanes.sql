CREATE TABLE "installation" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"lanes" smallint NOT NULL,
	CONSTRAINT "one_row" CHECK ("installation"."is_only"),
	CONSTRAINT "lanes_divide_the_queue" CHECK ("installation"."lanes" in (1, 2, 4, 8, 16, 32, 64))
);
--> statement-breakpoint
-- Code before this migration queues facts by four lanes, `part >> 8`, and works off those alone. Here each fact goes to the fine lane of its player, so that those of newer code keep their order with them.
-- Workers of older code apply only a sixteenth of these: the others wait until a worker of this code runs. docs/upgrading.md says so.
-- Both triggers are to be dropped when no code before this migration may run any more.
CREATE FUNCTION leaderboard_periods_await_facts() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if exists (
    select from generate_series(0, 63) as lanes(lane)
    join queued_facts q on q.lane = lanes.lane and q.environment_id = new.environment_id and q.received_at < old.settles_at
  ) then
    raise exception 'Facts that belong to this period wait in lanes that older code does not see' using errcode = '55P03';
  end if;
  return new;
end $$;
--> statement-breakpoint
-- Older code looks for facts that wait in its own lanes, and would settle a period, with its prizes, without the others.
CREATE TRIGGER "await_facts" BEFORE UPDATE OF "step" ON "leaderboard_periods" FOR EACH ROW
  WHEN (old.step in ('Open', 'Carrying', 'Ended') and new.step in ('Seating', 'Closing', 'Settled')) EXECUTE FUNCTION leaderboard_periods_await_facts();
--> statement-breakpoint
CREATE FUNCTION queued_facts_fine_lane() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  new.lane := new.part >> 4;
  return new;
end $$;
--> statement-breakpoint
-- This holds up who queues facts, and who works them off, until all of them are moved: a player's facts must never wait in two lanes.
CREATE TRIGGER "fine_lane" BEFORE INSERT ON "queued_facts" FOR EACH ROW WHEN (new.lane <> new.part >> 4) EXECUTE FUNCTION queued_facts_fine_lane();
--> statement-breakpoint
-- safe: few facts wait where workers keep up; a million that wait take some fifteen seconds
update queued_facts set lane = part >> 4 where lane <> part >> 4;
