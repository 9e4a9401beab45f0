import { firstValue, onlyRow, type Sql } from "#db/client.ts";
import { PLAYERS_LOCK } from "../../engine/store/locks.ts";

/** The floor is raised by at least this many positions. Each raise leaves a dead row, each position below it a dead entry in the index. */
const RISE = 5_000;
const EVERY_MS = 1_000;
/** The largest share of time to spend on the floor. Before PostgreSQL 18 a look at the queue reads all of its index. */
const PART = 1 / 20;

/** The next floor, and the transactions that may still queue facts up to it. */
interface Watched {
  seq: number;
  writers: ReadonlySet<string>;
}

/**
 * Raises the queue's floor (`queue_floor`, db/schema/worker.ts) behind the applied facts. Without it every look at the queue reads the
 * entries of all facts applied since the last vacuum; while another session holds a snapshot, which keeps vacuum from removing them, that
 * takes a second for each minute of a full load.
 */
export class QueueFloor {
  readonly #sql: Sql;
  readonly #rise: number;
  #watched: Watched | null = null;
  #nextAt = 0;

  constructor(sql: Sql, rise = RISE) {
    this.#sql = sql;
    this.#rise = rise;
  }

  /** Called with every look at the queue; mostly does nothing. */
  async keepUp(): Promise<void> {
    const began = performance.now();
    if (began < this.#nextAt) return;
    await this.step();
    const now = performance.now();
    this.#nextAt = now + Math.max(EVERY_MS, (now - began) / PART);
  }

  /**
   * One step, beside any number of other processes: stores a next floor, watches the transactions that may queue facts up to it, or raises
   * the floor once they have ended and the facts are applied. Returns whether it was raised.
   */
  async step(): Promise<boolean> {
    const { floor, next, last } = await selectFloor(this.#sql);
    // The sequence was not restored with the tables: these positions are given out again.
    if (last < floor) await this.#sql`update queue_floor set floor = 0, next = null where floor = ${floor}`;
    else if (next === null) {
      if (last >= floor + this.#rise)
        await this.#sql`update queue_floor set next = (select last_value from fact_seq) where next is null and floor = ${floor}`;
    } else {
      const writers = await selectWriters(this.#sql);
      // Every transaction that took a position up to `next` was among the writers when `next` was stored, or had ended by then.
      const writing = this.#watched?.seq === next ? this.#watched.writers.intersection(writers) : writers;
      this.#watched = { seq: next, writers: writing };
      if (writing.size === 0) return raise(this.#sql, next);
    }
    return false;
  }
}

/** The floor, the next one, and the last position that was given out. */
const selectFloor = (sql: Sql) =>
  onlyRow(sql<{ floor: number; next: number | null; last: number }[]>`
    select f.floor, f.next, s.last_value as last from queue_floor f cross join fact_seq s`);

/** The transactions that write for players of any environment: all that is queued is queued by one of these. */
async function selectWriters(sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select l.virtualtransaction as name from pg_locks l
    where l.granted and l.locktype = 'advisory' and l.classid = ${PLAYERS_LOCK} and l.objsubid = 2
      and l.database = (select oid from pg_database where datname = current_database())`;
  return new Set(rows.map(({ name }) => name));
}

const raise = async (sql: Sql, seq: number) =>
  (await firstValue(sql<{ isRaised: boolean }[]>`select raise_queue_floor(${seq}) as is_raised`)) === true;
