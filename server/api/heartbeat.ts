import { randomUUID } from "node:crypto";
import type { Database } from "../../db/client.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { beat, DEAD_MS, withdraw } from "./processes.ts";
import { type Quota, splitQuota, UNKNOWN } from "./quota-split.ts";

/** The interval of beats; three missed ones count as death. */
const BEAT_MS = 1_000;

/**
 * This process among those that serve the public API on one database and share each organization's limit. Its row shows that it is alive,
 * and how much of the limit it takes. A new process takes what the others give back with their next beat. A process that was silent long
 * enough for others to take its part has one slot until it has beaten again.
 */
export class Heartbeat {
  readonly limiter = new ConcurrencyLimiter(UNKNOWN);
  readonly #id = randomUUID();
  readonly #database: Database;
  #timer: NodeJS.Timeout | null = null;
  #nextAt = 0;
  #deadAt = 0;
  #isOver = false;
  #beating: Promise<void> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Starts beating by a timer: for a process that lives independently of requests. */
  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => void this.beat(), BEAT_MS);
  }

  /** Called on each request. Beats if a beat is due, which suffices for a process that lives only while called (serverless). */
  beatIfDue(): void {
    const now = performance.now();
    if (now >= this.#deadAt && this.limiter.quota !== UNKNOWN) this.limiter.resize(UNKNOWN);
    if (now >= this.#nextAt) void this.beat();
  }

  /** Records that the process is alive and takes its part; one beat at a time. */
  beat(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    const now = performance.now();
    this.#nextAt = now + BEAT_MS;
    this.#beating ??= this.#take(now)
      // Without the database this process serves no requests, so its part does no harm meanwhile. After a beat that stood still for so long
      // that the server ended it, others may have taken that part.
      .catch(() => {
        const failedAt = performance.now();
        if (failedAt < this.#deadAt) this.#deadAt = failedAt + DEAD_MS;
      })
      .finally(() => (this.#beating = null))
      .then(() => {});
    return this.#beating;
  }

  /** Stops serving: the others take this process's part with their next beat. */
  async stop(): Promise<void> {
    this.#isOver = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beating;
    await withdraw(this.#database, this.#id).catch(() => {});
  }

  async #take(beganAt: number): Promise<void> {
    let quota: Quota = UNKNOWN;
    await beat(this.#database, this.#id, (peers) => {
      quota = splitQuota(peers);
      // Lower the limit before the others hear of it. Running requests continue, and count until they end.
      if (quota.inFlight < this.limiter.quota.inFlight) this.limiter.resize(quota);
      return Math.max(quota.inFlight, this.limiter.most);
    });
    this.#deadAt = beganAt + DEAD_MS;
    this.limiter.resize(quota);
  }
}
