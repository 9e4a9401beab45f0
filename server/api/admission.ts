import { LRUCache } from "lru-cache";
import type { Database } from "../../db/client.ts";
import { authenticate, type FindKey, findKeysTogether, keyHash, type KeyRow, touchKey } from "../people/api-keys/authenticate.ts";
import type { Caller, Environment, RememberedKey } from "../model/kernel/environment.ts";
import { Problem, problem } from "../model/kernel/problem.ts";
import type { LoggedKey } from "../model/request-log/entry.ts";
import { ArrivingBodies } from "./arriving-bodies.ts";
import type { Arrival } from "./body.ts";
import { ConcurrencyLimiter, type WhenAbandoned } from "./concurrency-limiter.ts";
import type { Heartbeat } from "./heartbeat.ts";

/** The environment of a request's key, as far as known: for the log, and for the response headers. */
export interface Asker {
  environmentId: number;
  /** For the log of requests. */
  key: LoggedKey;
  /** Whether the key is revoked: its owner still sees the refusal in the log. */
  isRevoked: boolean;
  /** The time of a Sandbox whose clock has been moved, epoch milliseconds; null for any other. */
  sandboxTime: number | null;
}

/** A key as cached by this process. The database decides on every request whether it is still valid. */
interface CachedKey {
  organizationId: string;
  environment: Environment;
  /** The database's clock minus `performance.now()`, in milliseconds; too small by the time that the database's answer took. */
  clockMs: number;
  remembered: RememberedKey;
  /** Live, and not in a test project. */
  isLive: boolean;
  key: LoggedKey;
}

interface Entry {
  authorization: string | undefined;
  whenAbandoned?: WhenAbandoned;
  /** Called with the environment once it is known, and again if it turns out to be another; null: unknown. */
  onAsker(asker: Asker | null): void;
  /** Whether the request's own statement confirms a remembered key. */
  confirmsKey?: boolean;
  /** Reads the request's body, if any; errors in it are reported later. Throws Aborted, TooSlow, Crowded. */
  readBody?(arrival: Arrival): Promise<void>;
}

/** An admitted request. Its slot must be released. */
export interface Admitted {
  /** From the database; or, with `remembered`, what this process remembers. */
  caller: Caller;
  remembered: RememberedKey | null;
  /** Asks the database for the caller. Problems: auth.api_key_invalid, project_environment.not_found. */
  identify(): Promise<Caller>;
  release(): void;
}

/** Cached keys, some hundred bytes each. */
const MAX_CACHED_KEYS = 10_000;

/** The most requests with unknown keys that may wait. */
const MAX_WAITING_UNKNOWN = 64;

const UNKNOWN_KEYS = "unknown keys";

/**
 * Admits requests: first the body, which costs no slot while it arrives, then a slot, then one query for the key, unless the request's own
 * statement confirms the remembered key. A flood by a known key is refused without waiting for a connection. Unknown keys share a
 * small limit, a quarter of the connections, until the database confirms them: guessing keys cannot exhaust the connections, and the bodies
 * of guesses are not read.
 */
export class Admission {
  readonly #database: Database;
  readonly #findKey: FindKey;
  readonly #heartbeat: Heartbeat;
  readonly #unknownKeys: ConcurrencyLimiter;
  readonly #bodies: ArrivingBodies;
  readonly #cachedKeys = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS });

  constructor(database: Database, heartbeat: Heartbeat, maxArrivalMs?: number) {
    this.#database = database;
    this.#bodies = new ArrivingBodies(maxArrivalMs);
    this.#findKey = findKeysTogether(database.sql);
    this.#heartbeat = heartbeat;
    const inFlight = Math.ceil(database.sql.options.max / 4);
    this.#unknownKeys = new ConcurrencyLimiter(
      { inFlight, waiting: MAX_WAITING_UNKNOWN },
      "Too many requests with keys that are new here are in flight. Send this one again in a second.",
    );
  }

  /** Problems: auth.api_key_invalid, project_environment.not_found, rate_limit.concurrency_exceeded, request.timeout. Throws Aborted. */
  async enter(entry: Entry): Promise<Admitted> {
    const { whenAbandoned, onAsker, readBody } = entry;
    const hash = keyHash(entry.authorization);
    const key = hash.toString("latin1");
    const { limiter } = this.#heartbeat;
    this.#heartbeat.beatIfDue();
    /** The database's answer to this request, while it is current: discarded after each wait. */
    let caller: Caller | null = null;
    let hasBody = readBody === undefined;
    for (;;) {
      const cached = this.#cachedKeys.get(key);
      if (cached === undefined) {
        caller = await this.#identifyUnknown(hash, key, entry);
        continue;
      }
      onAsker(askerOf(cached));
      const { organizationId, isLive } = cached;
      // After waiting, the key is looked up again: it may have been revoked, definitions may have changed, and time has passed.
      if (!hasBody) {
        await this.#waitForBody(cached, key, readBody!);
        hasBody = true;
        caller = null;
      }
      const acquired = limiter.acquire(organizationId, { isLive, whenAbandoned });
      if (acquired !== null) {
        await acquired;
        caller = null;
      }
      const release = () => limiter.release(organizationId);
      // If the project moves to another organization meanwhile, the request keeps this slot.
      const identify = () => this.#identify(hash, key, onAsker);
      if (caller === null && entry.confirmsKey)
        return { caller: rememberedCaller(cached), remembered: cached.remembered, identify, release };
      try {
        caller ??= await identify();
      } catch (error) {
        release();
        throw error;
      }
      if (caller.environment.organizationId === organizationId) return { caller, remembered: null, identify, release };
      // The project has moved to another organization, so the request needs a slot there.
      release();
    }
  }

  /** Looks up an unknown key; null if another request with it got the answer meanwhile. */
  async #identifyUnknown(hash: Buffer, key: string, { whenAbandoned, onAsker }: Entry): Promise<Caller | null> {
    await this.#unknownKeys.acquire(UNKNOWN_KEYS, { whenAbandoned });
    try {
      return this.#cachedKeys.has(key) ? null : await this.#identify(hash, key, onAsker);
    } finally {
      this.#unknownKeys.release(UNKNOWN_KEYS);
    }
  }

  async #waitForBody({ organizationId, isLive }: CachedKey, key: string, readBody: NonNullable<Entry["readBody"]>): Promise<void> {
    try {
      await this.#bodies.wait(`${organizationId} ${isLive ? "live" : "sandbox"}`, readBody);
    } catch (error) {
      // Otherwise bodies that never arrive would hide that a key is revoked.
      if (error instanceof Problem && error.code === "request.timeout") this.#cachedKeys.delete(key);
      throw error;
    }
  }

  async #identify(hash: Buffer, key: string, onAsker: Entry["onAsker"]): Promise<Caller> {
    let revoked: Asker | null = null;
    try {
      const { isArchived, isTest, keyId, keepsBodies, ...caller } = await authenticate(
        this.#database.sql,
        hash,
        this.#findKey,
        (row) => (revoked = revokedAsker(row)),
      );
      const { id: environmentId, kind, resets } = caller.environment;
      const cached = this.#cachedKeyOf(hash, caller, kind === "live" && !isTest, { environmentId, resets, keyId, keepsBodies });
      onAsker(askerOf(cached));
      if (isArchived) throw problem("project_environment.not_found", "The project of this API key is archived.");
      this.#cachedKeys.set(key, cached);
      return caller;
    } catch (error) {
      if (error instanceof Problem) {
        // The key is no longer valid: from now on it takes no slots of its organization.
        this.#cachedKeys.delete(key);
        if (error.code === "auth.api_key_invalid") onAsker(revoked);
      }
      throw error;
    }
  }

  #cachedKeyOf(hash: Buffer, { environment, now }: Caller, isLive: boolean, key: LoggedKey): CachedKey {
    const { organizationId, definitionsVersion, clockOffsetMs, resets } = environment;
    const { keyId, keepsBodies } = key;
    const cached: CachedKey = {
      organizationId,
      environment,
      clockMs: now - clockOffsetMs - performance.now(),
      remembered: {
        hash,
        keepsBodies,
        name: [keyId, organizationId, definitionsVersion, clockOffsetMs, resets, keepsBodies].join(" "),
        confirm: (realNow, isUseDue) => {
          cached.clockMs = realNow - performance.now();
          // In the background, as after a query for the key: the request neither waits for it nor fails with it.
          if (isUseDue) touchKey(this.#database.sql, keyId).catch(() => {});
        },
      },
      isLive,
      key,
    };
    return cached;
  }
}

const nowOf = ({ environment: { clockOffsetMs }, clockMs }: CachedKey): number => Math.floor(performance.now() + clockMs + clockOffsetMs);

const rememberedCaller = (cached: CachedKey): Caller => ({ environment: cached.environment, now: nowOf(cached) });

const askerOf = (cached: CachedKey): Asker => ({
  environmentId: cached.key.environmentId,
  key: cached.key,
  isRevoked: false,
  sandboxTime: cached.environment.clockOffsetMs === 0 ? null : nowOf(cached),
});

/** The answer to a revoked key says nothing of its environment. */
const revokedAsker = ({ id: environmentId, resets, keyId, keepsBodies }: KeyRow): Asker => ({
  environmentId,
  key: { environmentId, resets, keyId, keepsBodies },
  isRevoked: true,
  sandboxTime: null,
});
