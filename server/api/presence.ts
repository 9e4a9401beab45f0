import { randomUUID } from "node:crypto";
import type { Database } from "../../db/client.ts";
import { Places } from "./places.ts";
import { beat, type Standing, withdraw } from "./processes.ts";
import { shareOf } from "./shares.ts";

/** How often a process shows that it is alive; three times before it is taken for dead. */
const BEAT_MS = 1_000;

/**
 * This process among those that serve the public API on one database, which share out the limit of each organization
 * (decisions.md 8): it shows by a row that it is alive, and takes its part of the places. Others hear of it, and of its
 * end, with their next beat: until then they take as many as before. While the database is out of reach the part stays.
 */
export class Presence {
  readonly places = new Places();
  readonly #id = randomUUID();
  readonly #database: Database;
  #timer: NodeJS.Timeout | null = null;
  #nextAt = 0;
  #isOver = false;
  #beating: Promise<void> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Beats from now on by itself: for a process that lives whether it is asked or not. */
  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => void this.beat(), BEAT_MS);
  }

  /** A request is here. Beats if it is time to: what suffices where a process only lives while it is asked (serverless). */
  show(): void {
    if (performance.now() >= this.#nextAt) void this.beat();
  }

  /** Shows that the process is alive and takes its part; one at a time. */
  beat(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#nextAt = performance.now() + BEAT_MS;
    this.#beating ??= beat(this.#database.sql, this.#id)
      .then((standing) => this.#take(standing))
      .catch(() => {})
      .finally(() => (this.#beating = null));
    return this.#beating;
  }

  /** No more requests are served: the others take this process's part with their next beat. */
  async stop(): Promise<void> {
    this.#isOver = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beating;
    await withdraw(this.#database.sql, this.#id).catch(() => {});
  }

  #take({ place, processes }: Standing): void {
    this.places.resize(shareOf(place, processes));
  }
}
