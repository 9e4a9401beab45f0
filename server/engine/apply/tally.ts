import type { Transaction } from "../../../db/client.ts";
import { Counts } from "../../kernel/counts.ts";
import { isEvent, type WaitingFact } from "../../kernel/facts.ts";
import { localHour, periodAt, startOfPeriod } from "../../kernel/time.ts";
import type { LockedPlayerRow } from "../../players/store.ts";
import { addDay, countNewDays, movesCohort } from "../activity.ts";
import { type ActiveDay, activeWeeksOf, addActiveDays, type NewDay, writeCounts } from "../store/counts.ts";

/**
 * What a transaction adds to the sums of analytics, besides ledger, purchases and completions, which triggers count. It is written as one
 * set, with the states that the facts lead to: what is counted was applied, and once.
 */
export class Tally {
  readonly #counts = new Counts();
  readonly #days: ActiveDay[] = [];
  readonly #epochs = new Map<string, number>();

  /** Facts of a locked player. One whose history is not counted yet is left out: counting it finds these facts applied. */
  addFacts({ part, playerId, analyticsEpoch: epoch, lastActiveOn }: LockedPlayerRow, facts: readonly WaitingFact[], zone: string): void {
    if (epoch === 0) return;
    const days = new Map<string, ActiveDay>();
    for (const fact of facts) {
      if (!isEvent(fact)) continue;
      const day = periodAt(fact.occurredAt, zone, "Day").start;
      const hour = localHour(fact.occurredAt, zone);
      const [measure, amount] = fact.value === null ? (["event", 0] as const) : (["metric", fact.value] as const);
      this.#counts.add({ epoch, measure, day, subject: fact.definitionId }, 1, amount);
      this.#counts.add({ epoch, measure: "hour.events", day, detail: hour });
      addDay(days, { part, playerId, day, hour }, lastActiveOn);
    }
    if (days.size === 0) return;
    this.#days.push(...days.values());
    this.#epochs.set(playerId, epoch);
  }

  async save(tx: Transaction, environmentId: number): Promise<void> {
    const added = await addActiveDays(tx, environmentId, this.#days);
    const byPlayer = [...Map.groupBy(added, ({ playerId }) => playerId).values()];
    const weeks = await weeksBefore(tx, byPlayer.filter(movesCohort));
    for (const days of byPlayer) {
      const { playerId } = days[0]!;
      countNewDays(this.#counts, { epoch: this.#epochs.get(playerId) ?? 0, days, weeksBefore: weeks.get(playerId) ?? [] });
    }
    await writeCounts(tx, environmentId, this.#counts.rows());
  }
}

/** The weeks of players before these days, which are written by now. */
async function weeksBefore(tx: Transaction, byPlayer: readonly NewDay[][]): Promise<Map<string, string[]>> {
  const rows = await activeWeeksOf(
    tx,
    byPlayer.map(([first]) => first!),
  );
  const fresh = new Set(
    byPlayer.flat().flatMap(({ playerId, day, wasActiveInWeek }) => (wasActiveInWeek ? [] : [`${playerId} ${startOfPeriod(day, "Week")}`])),
  );
  const before = rows.filter(({ playerId, week }) => !fresh.has(`${playerId} ${week}`));
  return new Map(
    [...Map.groupBy(before, ({ playerId }) => playerId)].map(([playerId, weeks]) => [playerId, weeks.map(({ week }) => week)] as const),
  );
}
