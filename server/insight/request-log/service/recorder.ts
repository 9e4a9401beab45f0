import { randomUUIDv7 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, isConflict, isUnavailable } from "#db/client.ts";
import { EntryBuffer } from "#server/model/request-log/buffer.ts";
import { compose } from "#server/model/request-log/compose.ts";
import type { ServedRequest } from "#server/model/request-log/entry.ts";
import { Sampler } from "#server/model/request-log/sampler.ts";
import { insertBatch } from "../store/write.ts";
import { playerKey } from "#server/model/players/identity.ts";

const IDENTITIES = { newId: () => randomUUIDv7(), keyOf: playerKey };

/** How long entries are collected before they are written together. */
const FLUSH_MS = 250;
/** The pause after a failed write. */
const FAILED_MS = 2_000;
/** How long a stop waits for the last write. */
const STOP_MS = 3_000;

/** Records what the public API has served. */
export interface RequestLog {
  /** How many of these accepted items will be kept: the first ones. They count towards the limit from now on. */
  admitItems(environmentId: number, accepted: number): number;
  /** Never throws, never waits. */
  record(served: ServedRequest): void;
}

interface Options {
  logger: { warn(fields: object, message: string): void };
}

/**
 * Writes the request log beside the requests: a request leaves its entry in a buffer, and every 250 ms one statement writes all entries,
 * over one connection. Unwritten entries stay within the buffer's bounds.
 */
export class RequestRecorder implements RequestLog {
  readonly #database: Database;
  readonly #logger: Options["logger"];
  readonly #buffer = new EntryBuffer();
  readonly #sampler = new Sampler();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<boolean> | null = null;
  #isOver = false;

  constructor(database: Database, { logger }: Options) {
    this.#database = database;
    this.#logger = logger;
  }

  admitItems(environmentId: number, accepted: number): number {
    return accepted === 0 ? 0 : this.#sampler.admit(environmentId, "acceptedItems", accepted, performance.now());
  }

  record(served: ServedRequest): void {
    try {
      const { entry, omitted } = compose(served, this.#sampler, IDENTITIES, performance.now());
      if (omitted !== null) this.#buffer.omit(served.key, omitted);
      if (entry !== null) this.#buffer.add(entry);
      this.#flushSoon(FLUSH_MS);
    } catch (error) {
      this.#logger.warn({ err: error }, "a request could not be noted in the request log");
    }
  }

  /** Whether there is nothing to write. */
  get isEmpty(): boolean {
    return this.#buffer.isEmpty;
  }

  /** Writes the buffer; resolves once that has succeeded or failed. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#writing !== null) await this.#writing;
    if (this.#buffer.isEmpty) return;
    this.#writing = this.#write();
    const isWritten = await this.#writing;
    this.#writing = null;
    if (!this.#buffer.isEmpty) this.#flushSoon(isWritten ? FLUSH_MS : FAILED_MS);
  }

  /** Writes the remaining entries, if the database answers. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.race([this.flush(), delay(STOP_MS, undefined, { ref: false })]);
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #flushSoon(ms: number): void {
    if (this.#isOver || this.#writing !== null) return;
    this.#timer ??= setTimeout(() => void this.flush(), ms);
  }

  /** Writes the buffer; false if that failed. Entries that the database refuses for good are dropped: they would block all that follow. */
  async #write(): Promise<boolean> {
    const batch = this.#buffer.take();
    try {
      await insertBatch(this.#database.sql, batch);
      return true;
    } catch (error) {
      const isPassing = isUnavailable(error) || isConflict(error);
      if (isPassing) this.#buffer.putBack(batch);
      else this.#buffer.giveUp(batch);
      this.#logger.warn({ err: error }, `the request log could not be written; ${isPassing ? "it is tried again" : "it is given up"}`);
      return false;
    }
  }
}
