import { LRUCache } from "lru-cache";
import type { Database } from "../../db/client.ts";
import { authenticate, keyHash } from "../api-keys/authenticate.ts";
import { type FindKey, findKeysTogether } from "../api-keys/find-keys.ts";
import type { Caller } from "../kernel/environment.ts";
import { Problem, problem } from "../kernel/problem.ts";
import type { LoggedKey } from "../request-log/entry.ts";
import { ConcurrencyLimiter, type WhenAbandoned } from "./concurrency-limiter.ts";
import type { Heartbeat } from "./heartbeat.ts";

/** The environment of a request's key, as far as it is known: for the log, and for the answer's headers. */
export interface Asker {
  environmentId: number;
  /** For the log of requests. */
  key: LoggedKey;
  /** The time of a Sandbox whose clock has been moved, epoch milliseconds; null for any other. */
  sandboxTime: number | null;
}

/** A key as a process remembers it. The database decides on every request whether it is still valid. */
interface Seen {
  organizationId: string;
  key: LoggedKey;
  /** How far a moved Sandbox clock is ahead of `performance.now()`, in milliseconds; null where it was not moved. */
  aheadMs: number | null;
}

interface Entering {
  authorization: string | undefined;
  whenAbandoned?: WhenAbandoned;
  /** Called with the environment as soon as it is known, and again where that turns out otherwise; null: unknown. */
  hear(asker: Asker | null): void;
}

/** An admitted request. Its slot has to be released. */
export interface Admitted {
  caller: Caller;
  release(): void;
}

/** Keys that are remembered, some hundred bytes each. */
const REMEMBERED = 10_000;

/** The most requests with unknown keys that wait. */
const WAITING_STRANGERS = 64;

const STRANGERS = "strangers";

/**
 * Admits requests: first a slot, then one query whether the key is valid. A flood by a known key is refused at once, and waits for no
 * connection. Keys that this process has never seen share a small limit, a quarter of the connections, until the database knows them:
 * guessing keys cannot take the connections from anybody.
 */
export class Admission {
  readonly #database: Database;
  readonly #findKey: FindKey;
  readonly #heartbeat: Heartbeat;
  readonly #strangers: ConcurrencyLimiter;
  readonly #seen = new LRUCache<string, Seen>({ max: REMEMBERED });

  constructor(database: Database, heartbeat: Heartbeat) {
    this.#database = database;
    this.#findKey = findKeysTogether(database.sql);
    this.#heartbeat = heartbeat;
    const inFlight = Math.ceil(database.sql.options.max / 4);
    this.#strangers = new ConcurrencyLimiter(
      { inFlight, waiting: WAITING_STRANGERS },
      "Too many requests with keys that are new here are in flight. Send this one again in a second.",
    );
  }

  /** Problems: auth.api_key_invalid, project_environment.not_found, rate_limit.concurrency_exceeded. Throws Aborted. */
  async enter({ authorization, whenAbandoned, hear }: Entering): Promise<Admitted> {
    const hash = keyHash(authorization);
    const key = hash.toString("latin1");
    this.#heartbeat.beatIfDue();
    let caller: Caller | null = null;
    for (;;) {
      const seen = this.#seen.get(key);
      if (seen !== undefined) hear(askerOf(seen));
      const limiter = seen === undefined ? this.#strangers : this.#heartbeat.limiter;
      const name = seen?.organizationId ?? STRANGERS;
      const acquired = limiter.acquire(name, whenAbandoned);
      if (acquired !== null) {
        await acquired;
        // A key may have been revoked while its request waited, a definition changed, and time has passed.
        caller = null;
      }
      const release = () => limiter.release(name);
      try {
        // A request whose key became known while it waited takes a slot of its organization instead.
        if (seen !== undefined || !this.#seen.has(key)) caller ??= await this.#identify(hash, key, hear);
      } catch (error) {
        release();
        throw error;
      }
      if (caller !== null && caller.environment.organizationId === name) return { caller, release };
      release();
    }
  }

  async #identify(hash: Buffer, key: string, hear: Entering["hear"]): Promise<Caller> {
    try {
      const { isArchived, keyId, keepsBodies, ...caller } = await authenticate(this.#database.sql, hash, this.#findKey);
      const { id: environmentId, resets } = caller.environment;
      const seen = seenOf(caller, { environmentId, resets, keyId, keepsBodies });
      hear(askerOf(seen));
      if (isArchived) throw problem("project_environment.not_found", "The project of this API key is archived.");
      this.#seen.set(key, seen);
      return caller;
    } catch (error) {
      if (error instanceof Problem) {
        // The key is no longer valid: from now on it takes no slots of its organization.
        this.#seen.delete(key);
        if (error.code === "auth.api_key_invalid") hear(null);
      }
      throw error;
    }
  }
}

const seenOf = ({ environment: { organizationId, clockOffsetMs }, now }: Caller, key: LoggedKey): Seen => ({
  organizationId,
  key,
  aheadMs: clockOffsetMs === 0 ? null : now - performance.now(),
});

const askerOf = ({ key, aheadMs }: Seen): Asker => ({
  environmentId: key.environmentId,
  key,
  sandboxTime: aheadMs === null ? null : Math.floor(performance.now() + aheadMs),
});
