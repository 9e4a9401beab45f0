import type { Transaction } from "../../../db/client.ts";
import { Counts, KEPT } from "../../kernel/counts.ts";
import type { Effect } from "../../kernel/effects.ts";
import { isEvent, type WaitingFact } from "../../kernel/facts.ts";
import type { Player, PlayerKey } from "../../kernel/player.ts";
import { localHour, type Period, periodAt, startOfPeriod } from "../../kernel/time.ts";
import { stepsBetween } from "../../missions/funnel.ts";
import { runChanges } from "../../streaks/run-changes.ts";
import { beginsWeek, countNewDays, movesCohort, newDaysAfter } from "../activity.ts";
import { type ActiveDay, activeWeeksOf, addActiveDays, appendActiveDays, firstDaysOf, type NewDay, writeCounts } from "../store/counts.ts";
import { EventCounts } from "./event-counts.ts";
import type { LockedEnvironment } from "./environment-lock.ts";

/** A locked player, with what is counted of them. */
interface CountedPlayer extends PlayerKey {
  /** The count that their figures are in; 0: none yet. */
  analyticsEpoch: number;
  /** The last day with an event that is counted. */
  lastActiveOn: string | null;
}

/**
 * What a transaction adds to the sums of analytics, besides ledger, purchases and completions, which triggers count. It is written as one
 * set, with the states that the facts lead to: what is counted was applied, and once.
 */
export class Tally {
  readonly #counts = new Counts();
  /** By count and day of the project's zone. */
  readonly #events = new Map<number, Map<Period, EventCounts>>();
  readonly #active: ActivePlayer[] = [];

  /** Facts of a locked player. One whose history is not counted yet is left out: counting it finds these facts applied. */
  addFacts({ part, playerId, analyticsEpoch: epoch, lastActiveOn }: CountedPlayer, facts: readonly WaitingFact[], zone: string): void {
    if (epoch === 0) return;
    let ofEpoch = this.#events.get(epoch);
    if (ofEpoch === undefined) this.#events.set(epoch, (ofEpoch = new Map()));
    let days: ActiveDay[] | null = null;
    for (const fact of facts) {
      if (!isEvent(fact)) continue;
      const period = periodAt(fact.occurredAt, zone, "Day");
      const day = period.start;
      const hour = localHour(fact.occurredAt, zone, period);
      let ofDay = ofEpoch.get(period);
      if (ofDay === undefined) ofEpoch.set(period, (ofDay = new EventCounts()));
      ofDay.add(fact, Number(hour));
      // The player's last day alone needs no look.
      if (day === lastActiveOn || days?.some((known) => known.day === day)) continue;
      (days ??= []).push({ part, playerId, day, hour });
    }
    if (days !== null) this.#active.push({ part, playerId, epoch, lastActiveOn, days });
  }

  /** The steps that a fold has taken a player through missions and streaks; `at` is when its last fact was received. */
  addFold(
    { definitions }: LockedEnvironment,
    { analyticsEpoch }: Pick<CountedPlayer, "analyticsEpoch">,
    before: Player,
    after: Player,
    effects: readonly Effect[],
    at: number,
  ): void {
    const { timeZone } = definitions;
    const dayOf = (instant: number): string => periodAt(instant, timeZone, "Day").start;
    if (after.missions !== before.missions) {
      const completions = effects.filter((effect) => effect.kind === "completion");
      for (const { missionId, step, objective, at: stepAt } of stepsBetween(
        definitions.missionsById,
        before.missions,
        after.missions,
        completions,
        at,
      ))
        this.#counts.add({ epoch: KEPT, measure: step, day: dayOf(stepAt), subject: missionId, detail: objective ?? "" });
    }
    if (after.streaks === before.streaks) return;
    for (const { id, cadence } of definitions.streaks) {
      const state = after.streaks.get(id);
      if (state === undefined || state === before.streaks.get(id)) continue;
      const { began, beganNot, freezes } = runChanges(before.streaks.get(id), state, cadence);
      // Of a player who is not counted yet, the runs are found when they are.
      const started = { epoch: analyticsEpoch, measure: "streak.started", subject: id } as const;
      if (analyticsEpoch !== 0) {
        for (const day of began) this.#counts.add({ ...started, day });
        for (const day of beganNot) this.#counts.add({ ...started, day }, -1);
      }
      if (freezes > 0) this.#counts.add({ epoch: KEPT, measure: "streak.freezes", day: dayOf(at), subject: id }, freezes);
    }
    for (const effect of effects) {
      if (effect.kind !== "milestone") continue;
      const { streakId: subject, milestone, reachedAt } = effect;
      this.#counts.add({ epoch: KEPT, measure: "streak.milestone", day: dayOf(reachedAt), subject, detail: String(milestone) });
    }
  }

  async save(tx: Transaction, environmentId: number): Promise<void> {
    const [inOrder, late] = partition(this.#active, ({ lastActiveOn, days }) =>
      days.every(({ day }) => lastActiveOn === null || day > lastActiveOn),
    );
    await Promise.all([this.#appendDays(tx, environmentId, inOrder), this.#addLateDays(tx, environmentId, late)]);
    for (const [epoch, days] of this.#events) for (const [{ start }, counts] of days) counts.addTo(this.#counts, epoch, start);
    await writeCounts(tx, environmentId, this.#counts.rows());
  }

  /** Days after the last one that is kept of a player: their row tells what is new. */
  async #appendDays(tx: Transaction, environmentId: number, players: readonly ActivePlayer[]): Promise<void> {
    const sorted = players.map((player) => ({ ...player, days: player.days.toSorted((a, b) => (a.day < b.day ? -1 : 1)) }));
    const [firsts] = await Promise.all([
      firstDaysOf(
        tx,
        sorted.filter(({ lastActiveOn, days }) => lastActiveOn !== null && beginsWeek(lastActiveOn, days)),
      ),
      appendActiveDays(
        tx,
        environmentId,
        sorted.flatMap(({ days }) => days.map((day, at) => ({ ...day, isLast: at === days.length - 1 }))),
      ),
    ]);
    const firstOf = new Map(firsts.map(({ playerId, day }) => [playerId, day]));
    for (const { playerId, epoch, lastActiveOn, days } of sorted)
      countNewDays(this.#counts, { epoch, days: newDaysAfter(lastActiveOn, firstOf.get(playerId) ?? lastActiveOn, days), weeksBefore: [] });
  }

  /** Days before the last one that is kept of a player may be new or not. */
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

/** A player with facts on days that may be new, each day once. */
interface ActivePlayer extends PlayerKey {
  epoch: number;
  lastActiveOn: string | null;
  days: ActiveDay[];
}

function partition<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  const parts: [Item[], Item[]] = [[], []];
  for (const item of items) parts[belongs(item) ? 0 : 1].push(item);
  return parts;
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
