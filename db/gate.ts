import type postgres from "postgres";

/** No connection became free in time. It counts as an unreachable database (`isUnavailable`). */
class WaitedTooLong extends Error {
  readonly code = "CONNECTION_WAIT_TIMEOUT";
  constructor(waitMs: number) {
    super(`No connection to the database was free within ${waitMs} ms.`);
  }
}

/** Begins a query or a transaction, which calls `release` at its end. */
type Enter = (release: () => void) => void;

/** The waiting queries and transactions. */
interface Waiting {
  enter: Enter;
  timer: NodeJS.Timeout | undefined;
}

/** The current use of a pool. `refused` counts the requests that timed out. */
export interface PoolUse {
  size: number;
  inUse: number;
  waiting: number;
  refused: number;
}

/** Lends out the connections of a pool, first come, first served. */
class Gate {
  #refused = 0;
  readonly #size: number;
  readonly #waitMs: number | undefined;
  /** When each connection in use was lent, the earliest first. */
  readonly #lent = new Set<{ at: number }>();
  readonly #waiting = new Set<Waiting>();

  /** @param waitMs The longest wait for a connection; unlimited when left out. */
  constructor(connections: number, waitMs: number | undefined) {
    this.#size = connections;
    this.#waitMs = waitMs;
  }

  /** Calls one of the two: `enter` with a connection to use until `release`, or `refuse` after the wait. */
  pass(enter: Enter, refuse: (error: Error) => void): void {
    if (this.#lent.size < this.#size) return this.#lend(enter);
    const waiting: Waiting = { enter, timer: undefined };
    if (this.#waitMs !== undefined) waiting.timer = setTimeout(() => this.#refuse(waiting, refuse), this.#waitMs);
    this.#waiting.add(waiting);
  }

  use(): PoolUse {
    return { size: this.#size, inUse: this.#lent.size, waiting: this.#waiting.size, refused: this.#refused };
  }

  /** How long the longest present use of a connection has taken, in milliseconds. */
  longestMs(): number {
    const [first] = this.#lent;
    return first === undefined ? 0 : performance.now() - first.at;
  }

  #lend(enter: Enter): void {
    const lent = { at: performance.now() };
    this.#lent.add(lent);
    enter(() => {
      this.#lent.delete(lent);
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      clearTimeout(next.timer);
      this.#lend(next.enter);
    });
  }

  #refuse(waiting: Waiting, refuse: (error: Error) => void): void {
    this.#waiting.delete(waiting);
    this.#refused += 1;
    refuse(new WaitedTooLong(this.#waitMs ?? 0));
  }
}

/** An undeclared member of the driver's queries: it sends a query to the pool once it is awaited. */
type Handled = Promise<unknown> & { handler(query: Handled): void; reject(error: Error): void };
type Begin = (...of: unknown[]) => Promise<unknown>;

/**
 * A driver's pool in which each query and each transaction has a connection of its own, and waits for it no longer than `waitMs`. The
 * driver itself waits without limit, and pipelines a query behind another that may be waiting for a lock.
 */
export function behindGate(pool: postgres.Sql, waitMs: number | undefined): { sql: postgres.Sql } & Pick<Gate, "longestMs" | "use"> {
  const gate = new Gate(pool.options.max, waitMs);

  const gated = <T>(made: T): T => {
    const query = made as unknown as Handled;
    const send = query.handler;
    query.handler = () =>
      gate.pass(
        (release) => {
          // The query is already running: its own `then` would try to send it again.
          void Promise.prototype.then.call(query, release, release);
          send(query);
        },
        (error) => query.reject(error),
      );
    return made;
  };
  const unsafe: postgres.Sql["unsafe"] = (...of) => gated(pool.unsafe(...of));
  const begin: Begin = async (...of) => {
    const release = await new Promise<() => void>((enter, refuse) => gate.pass(enter, refuse));
    return (pool.begin as Begin)(...of).finally(release);
  };

  const sql = new Proxy(pool, {
    apply(target, _, of: [TemplateStringsArray | unknown, ...never[]]) {
      const made: unknown = (target as (...of: unknown[]) => unknown)(...of);
      return made instanceof Promise ? gated(made) : made;
    },
    get(target, name, self) {
      if (name === "unsafe") return unsafe;
      if (name === "begin") return begin;
      return Reflect.get(target, name, self) as unknown;
    },
  });
  return { sql, use: () => gate.use(), longestMs: () => gate.longestMs() };
}
