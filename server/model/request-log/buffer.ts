import type { BufferedEntry, Omitted } from "./entry.ts";

/** The bounds of a process's unwritten entries. */
export interface BufferBounds {
  requests: number;
  items: number;
  /** Characters of text. */
  size: number;
}

const BOUNDS: BufferBounds = { requests: 2_000, items: 10_000, size: 8 * 1024 * 1024 };

/** The entries to write, and the number of missing ones by environment (and its count of resets). */
export interface LogBatch {
  entries: BufferedEntry[];
  omitted: Map<string, Omitted & { environmentId: number; resets: number }>;
}

/**
 * Entries on their way to the database, bounded even while the database is down. A full buffer drops successes before errors, and the
 * newest first: the cause of a flood is worth more than the flood. Dropped entries are counted.
 */
export class EntryBuffer {
  readonly #bounds: BufferBounds;
  #successes: BufferedEntry[] = [];
  #errors: BufferedEntry[] = [];
  #items = 0;
  #size = 0;
  #omitted: LogBatch["omitted"] = new Map();

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  get isEmpty(): boolean {
    return this.#successes.length === 0 && this.#errors.length === 0 && this.#omitted.size === 0;
  }

  add(entry: BufferedEntry): void {
    (entry.isError ? this.#errors : this.#successes).push(entry);
    this.#count(entry, 1);
    while (this.#isTooFull()) {
      const given = this.#successes.pop() ?? this.#errors.pop();
      if (given === undefined) return;
      this.#count(given, -1);
      this.#giveUp(given);
    }
  }

  /** Counts the omitted entries. */
  omit({ environmentId, resets }: { environmentId: number; resets: number }, lacks: Partial<Omitted>): void {
    const name = `${environmentId} ${resets}`;
    const known = this.#omitted.get(name) ?? { environmentId, resets, successes: 0, errors: 0, acceptedItems: 0, refusedItems: 0 };
    known.successes += lacks.successes ?? 0;
    known.errors += lacks.errors ?? 0;
    known.acceptedItems += lacks.acceptedItems ?? 0;
    known.refusedItems += lacks.refusedItems ?? 0;
    this.#omitted.set(name, known);
  }

  /** Takes everything out. */
  take(): LogBatch {
    const batch = { entries: [...this.#errors, ...this.#successes], omitted: this.#omitted };
    this.#errors = [];
    this.#successes = [];
    this.#items = 0;
    this.#size = 0;
    this.#omitted = new Map();
    return batch;
  }

  /** Puts back entries that could not be written, before the newer ones and within the same bounds. */
  putBack(batch: LogBatch): void {
    for (const { entries, omitted } of [batch, this.take()]) {
      for (const entry of entries) this.add(entry);
      for (const one of omitted.values()) this.omit(one, one);
    }
  }

  /** Counts entries that will never be written. */
  giveUp({ entries }: LogBatch): void {
    for (const entry of entries) this.#giveUp(entry);
  }

  #giveUp(entry: BufferedEntry): void {
    const of = entry.request ?? entry.items[0];
    if (of !== undefined) this.omit(of, lacking(entry));
  }

  #count({ items, size }: BufferedEntry, by: 1 | -1): void {
    this.#items += by * items.length;
    this.#size += by * size;
  }

  #isTooFull(): boolean {
    const { requests, items, size } = this.#bounds;
    return this.#successes.length + this.#errors.length > requests || this.#items > items || this.#size > size;
  }
}

function lacking({ request, items, isError }: BufferedEntry): Omitted {
  const refusedItems = items.filter(({ code }) => code !== null).length;
  return {
    successes: request !== null && !isError ? 1 : 0,
    errors: request !== null && isError ? 1 : 0,
    acceptedItems: items.length - refusedItems,
    refusedItems,
  };
}
