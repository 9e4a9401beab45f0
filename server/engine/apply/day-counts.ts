import type { Counts } from "../../model/kernel/counts.ts";
import { addNumbers, type Numeric } from "../../model/kernel/decimal.ts";
import type { EventFact } from "../../model/kernel/facts.ts";

/**
 * The events of a day, by definition and by hour, and the players whose first event it had. It is on the path of every fact, so it builds
 * no string keys.
 */
export class DayCounts {
  readonly #events = new Map<number, number>();
  readonly #metrics = new Map<number, { count: number; amount: Numeric }>();
  readonly #hours = new Array<number>(24).fill(0);
  readonly #active = new Array<number>(24).fill(0);

  addActive(hour: number): void {
    this.#active[hour]!++;
  }

  add({ definitionId, value }: EventFact, hour: number): void {
    this.#hours[hour]!++;
    if (value === null) {
      this.#events.set(definitionId, (this.#events.get(definitionId) ?? 0) + 1);
      return;
    }
    const known = this.#metrics.get(definitionId);
    if (known === undefined) this.#metrics.set(definitionId, { count: 1, amount: value });
    else {
      known.count++;
      known.amount = addNumbers(known.amount, value);
    }
  }

  addTo(counts: Counts, epoch: number, day: string): void {
    for (const [subject, count] of this.#events) counts.add({ epoch, measure: "event", day, subject }, count);
    for (const [subject, { count, amount }] of this.#metrics) counts.add({ epoch, measure: "metric", day, subject }, count, amount);
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
