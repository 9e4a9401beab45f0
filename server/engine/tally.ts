import type { Transaction } from "#db/client.ts";
import { beginPeriod, beginWeek, countNewDays, countNewPeriods, movesCohort, newDaysAfter } from "./activity.ts";
import type { LockedEnvironment } from "./locked.ts";
import { FIRST_DATE } from "../model/kernel/calendar.ts";
import { Counts, KEPT_EPOCH } from "../model/kernel/counts.ts";
import { addNumbers, type Numeric } from "../model/kernel/decimal.ts";
import type { Effect } from "../model/rules/effects.ts";
import { type EventFact, isEvent, type WaitingFact } from "../model/kernel/facts.ts";
import type { Player, PlayerKey } from "../model/kernel/player.ts";
import { localHour, type Period, periodAt, startOfPeriod } from "../model/kernel/time.ts";
import { stepsBetween } from "../model/missions/funnel.ts";
import { runChanges } from "../model/streaks/runs.ts";
import { type ActiveDay, activeWeeksOf, addActiveDays, appendActiveDays, firstDaysOf, type NewDay, writeCounts } from "./store/counts.ts";

/** A locked player, with their analytics figures. */
interface CountedPlayer extends PlayerKey {
  /** The analytics epoch of their figures; 0: not counted yet. */
  analyticsEpoch: number;
  /** The last day with an event that is counted. */
  lastActiveOn: string | null;
}

/** The day on which an event counts, as `analytics_day` has it. */
const countedDay = ({ start }: Period): string => (start < FIRST_DATE ? FIRST_DATE : start);

/**
 * What a transaction adds to the sums of analytics, except for points, purchases and completions, which are counted where they are written.
 * It is written as one set with the new states, so a fact is counted exactly when it is applied.
 */
export class Tally {
  readonly #counts = new Counts();
  /** Events and active players, by epoch and day of the project's zone. */
  readonly #days = new Map<number, Map<Period, DayCounts>>();
  /** Days after their players' last known day: certainly new. */
  readonly #appended: (ActiveDay & { isLast: boolean })[] = [];
  /** Players who are new, or for whom a day in `#appended` begins a week or a month. */
  readonly #beginning: ActivePlayer[] = [];
  /** Players with days before their last known day: these may be known already. */
  readonly #late: ActivePlayer[] = [];

  /** Counts facts of a locked player. A player whose history is not counted yet is skipped: that count will include these facts. */
  addFacts({ part, playerId, analyticsEpoch: epoch, lastActiveOn }: CountedPlayer, facts: readonly WaitingFact[], zone: string): void {
    if (epoch === 0) return;
    let ofEpoch = this.#days.get(epoch);
    if (ofEpoch === undefined) this.#days.set(epoch, (ofEpoch = new Map()));
    let days: (ActiveDay & { counts: DayCounts })[] | null = null;
    let isLate = false;
    for (const fact of facts) {
      if (!isEvent(fact)) continue;
      const period = periodAt(fact.occurredAt, zone, "Day");
      const day = countedDay(period);
      const hour = localHour(fact.occurredAt, zone, period);
      let counts = ofEpoch.get(period);
      if (counts === undefined) ofEpoch.set(period, (counts = new DayCounts()));
      counts.add(fact, Number(hour));
      // If all facts are on the player's last day, there is nothing to look up.
      if (day === lastActiveOn || days?.some((known) => known.day === day)) continue;
      (days ??= []).push({ part, playerId, day, hour, counts });
      isLate ||= lastActiveOn !== null && day < lastActiveOn;
    }
    if (days === null) return;
    if (isLate) {
      this.#late.push({ part, playerId, epoch, lastActiveOn, days });
      return;
    }
    if (days.length > 1) days.sort((a, b) => (a.day < b.day ? -1 : 1));
    for (const { day, hour, counts } of days) {
      counts.addActive(Number(hour));
      this.#appended.push({ part, playerId, day, hour, isLast: day === days.at(-1)!.day });
    }
    if (beginPeriod(lastActiveOn, days)) this.#beginning.push({ part, playerId, epoch, lastActiveOn, days });
  }

  /** Counts a player's steps through missions and streaks in a fold; `at` is when its last fact was received. */
  addFold(
    { definitions }: LockedEnvironment,
    { analyticsEpoch }: Pick<CountedPlayer, "analyticsEpoch">,
    before: Player,
    after: Player,
    effects: readonly Effect[],
    at: number,
  ): void {
    const { timeZone } = definitions;
    const hourOf = (instant: number): { day: string; hour: number } => {
      const period = periodAt(instant, timeZone, "Day");
      return { day: period.start, hour: Number(localHour(instant, timeZone, period)) };
    };
    if (after.missions !== before.missions) {
      const completions = effects.filter((effect) => effect.kind === "completion");
      const { steps, moves } = stepsBetween(definitions.missionsById, before.missions, after.missions, completions, at);
      for (const { missionId, step, at: stepAt } of steps)
        this.#counts.add({ epoch: KEPT_EPOCH, measure: step, ...hourOf(stepAt), subject: missionId });
      const { zones, since } = definitions.entryDays;
      for (const { missionId, stage, objective, startedAt, by } of moves) {
        if (since !== null && startedAt < since) continue;
        // The zone at entry: after the project moves to another zone, an occurrence stays in the cohort in which it was counted.
        const zone = zones.find((change) => startedAt < change.at)?.zone ?? timeZone;
        const measure = stage === "player" ? "players.entered" : (`funnel.${stage}` as const);
        const day = periodAt(startedAt, zone, "Day").start;
        this.#counts.add({ epoch: KEPT_EPOCH, measure, day, subject: missionId, detail: objective ?? "" }, by);
      }
    }
    if (after.streaks === before.streaks) return;
    for (const { id, cadence } of definitions.streaks) {
      const state = after.streaks.get(id);
      if (state === undefined || state === before.streaks.get(id)) continue;
      const { began, beganNot, freezes } = runChanges(before.streaks.get(id), state, cadence);
      // The runs of a player who is not counted yet are counted with their history.
      const started = { epoch: analyticsEpoch, measure: "streak.started", subject: id } as const;
      if (analyticsEpoch !== 0) {
        for (const day of began) this.#counts.add({ ...started, day });
        for (const day of beganNot) this.#counts.add({ ...started, day }, -1);
      }
      if (freezes > 0) this.#counts.add({ epoch: KEPT_EPOCH, measure: "streak.freezes", ...hourOf(at), subject: id }, freezes);
    }
    for (const effect of effects) {
      if (effect.kind !== "milestone") continue;
      const { streakId: subject, milestone, reachedAt } = effect;
      this.#counts.add({ epoch: KEPT_EPOCH, measure: "streak.milestone", ...hourOf(reachedAt), subject, detail: String(milestone) });
    }
  }

  async save(tx: Transaction, environmentId: number): Promise<void> {
    await Promise.all([
      appendActiveDays(tx, environmentId, this.#appended),
      this.#countBeginning(tx, this.#beginning),
      this.#addLateDays(tx, environmentId, this.#late),
    ]);
    for (const [epoch, days] of this.#days) for (const [period, counts] of days) counts.addTo(this.#counts, epoch, countedDay(period));
    await writeCounts(tx, environmentId, this.#counts.rows());
  }

  async #countBeginning(tx: Transaction, players: readonly ActivePlayer[]): Promise<void> {
    const firsts = await firstDaysOf(
      tx,
      players.filter(({ lastActiveOn, days }) => lastActiveOn !== null && beginWeek(lastActiveOn, days)),
    );
    const firstOf = new Map(firsts.map(({ playerId, day }) => [playerId, day]));
    for (const { playerId, epoch, lastActiveOn, days } of players)
      countNewPeriods(this.#counts, {
        epoch,
        days: newDaysAfter(lastActiveOn, firstOf.get(playerId) ?? lastActiveOn, days),
        weeksBefore: [],
      });
  }

  async #addLateDays(tx: Transaction, environmentId: number, players: readonly ActivePlayer[]): Promise<void> {
    const added = await addActiveDays(
      tx,
      environmentId,
      players.flatMap(({ days }) => days),
    );
    const epochs = new Map(players.map(({ playerId, epoch }) => [playerId, epoch]));
    const byPlayer = [...Map.groupBy(added, ({ playerId }) => playerId).values()];
    const weeks = await weeksBefore(tx, byPlayer.filter(movesCohort));
    for (const days of byPlayer) {
      const { playerId } = days[0]!;
      countNewDays(this.#counts, { epoch: epochs.get(playerId) ?? 0, days, weeksBefore: weeks.get(playerId) ?? [] });
    }
  }
}

/** A player with facts on days that may be new; no duplicates. */
interface ActivePlayer extends PlayerKey {
  epoch: number;
  lastActiveOn: string | null;
  days: ActiveDay[];
}

/** The weeks in which players were active before these days; the days are already written. */
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

/**
 * The events of a day, by definition and by hour, and the players whose first event it had. It is on the path of every fact, so it builds
 * no string keys.
 */
class DayCounts {
  /** By definition and hour: `definitionId * 24 + hour`. */
  readonly #events = new Map<number, number>();
  readonly #metrics = new Map<number, { count: number; amount: Numeric }>();
  readonly #hours = new Array<number>(24).fill(0);
  readonly #active = new Array<number>(24).fill(0);

  addActive(hour: number): void {
    this.#active[hour]!++;
  }

  add({ definitionId, value }: EventFact, hour: number): void {
    this.#hours[hour]!++;
    const key = definitionId * 24 + hour;
    if (value === null) {
      this.#events.set(key, (this.#events.get(key) ?? 0) + 1);
      return;
    }
    const known = this.#metrics.get(key);
    if (known === undefined) this.#metrics.set(key, { count: 1, amount: value });
    else {
      known.count++;
      known.amount = addNumbers(known.amount, value);
    }
  }

  addTo(counts: Counts, epoch: number, day: string): void {
    const of = (key: number) => ({ epoch, day, subject: Math.floor(key / 24), hour: key % 24 });
    for (const [key, count] of this.#events) counts.add({ ...of(key), measure: "event" }, count);
    for (const [key, { count, amount }] of this.#metrics) counts.add({ ...of(key), measure: "metric" }, count, amount);
    for (const [hour, count] of this.#hours.entries())
      if (count > 0) counts.add({ epoch, measure: "hour.events", day, detail: twoDigits(hour) }, count);
    for (const [hour, count] of this.#active.entries()) {
      if (count === 0) continue;
      counts.add({ epoch, measure: "active.day", day }, count);
      counts.add({ epoch, measure: "hour.active", day, detail: twoDigits(hour) }, count);
    }
  }
}

const twoDigits = (hour: number): string => String(hour).padStart(2, "0");
