import type { Database } from "../../db/client.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";
import { parseJson } from "../../server/model/kernel/json.ts";
import { moveClockUpTo } from "../../server/operations/sandbox/move-clock.ts";
import { resetSandbox } from "../../server/operations/sandbox/reset.ts";
import { board } from "../../e2e/boards.ts";
import { atLeast, measured, mission, points, shop } from "../../e2e/definitions.ts";
import type { Chance } from "./chance.ts";
import { differences } from "./compare.ts";
import type { Customer } from "./customer.ts";
import type { Task } from "./task-process.ts";
import type { Interrupted, Kill } from "./interrupted.ts";
import { steadily, steadilyUntil } from "./steadily.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../../server/engine/environment.ts";

/** The kinds of work that a workshop interrupts. */
export type Work = "import" | "move" | "reset" | "settle";

const DAY_MS = 86_400_000;
const PLAYERS = ["ada", "bea", "cid", "dan"];

/** A board whose daily winner gets a point, and missions that product staff rename in one import. */
export const workshopFile = (name: number): string =>
  JSON.stringify({
    version: 1,
    ...shop(
      mission("first"),
      ...Array.from({ length: 10 }, (_, index) =>
        mission(`renamed_${index}`, { name: `Number ${name}`, objectives: [atLeast(1_000_000)] }),
      ),
    ),
    leaderboards: [
      board("day", {
        ...measured("Sum", "amount"),
        period: { kind: "Calendar", every: "Day" },
        settleAfterMinutes: 0,
        prizes: [{ fromRank: 1, toRank: 1, rewards: [points(1)] }],
      }),
    ],
  });

interface WorkshopOptions {
  database: Database;
  environment: Environment;
  /** The sender of its orders. */
  customer: Customer;
  chance: Chance;
}

/** A Sandbox whose clock, definitions and players change while the changing process is killed, with the oracle of its orders. */
export class Workshop {
  readonly environment: Environment;
  readonly #database: Database;
  readonly #customer: Customer;
  readonly #chance: Chance;
  #name = 0;
  #count = 0;
  /** The ids of acknowledged orders. */
  #orders: string[] = [];
  /** The orders of each player on each day of the Sandbox clock, in cents. */
  #days = new Map<string, Map<string, number>>();

  constructor({ database, environment, customer, chance }: WorkshopOptions) {
    this.environment = environment;
    this.#database = database;
    this.#customer = customer;
    this.#chance = chance;
  }

  /** The number of acknowledged orders, those before a reset too. */
  get acknowledged(): number {
    return this.#count;
  }

  /** Sends orders, runs work that `interrupted` kills, and completes it. */
  async perform(work: Exclude<Work, "settle">, interrupted: (task: Task) => Promise<boolean>): Promise<Interrupted> {
    await this.#order();
    const before = await this.#eventCount();
    const name = this.#name + 1;
    const task = await this.#taskOf(work, name);
    const wasInTheMiddle = await interrupted(task);
    const found = await this.#halves(work, before, name);
    await this.#finish(task);
    if (work === "import") this.#name = name;
    if (work === "reset") [this.#orders, this.#days] = [[], new Map()];
    return { wasInTheMiddle, found };
  }

  /** Sends orders and moves the clock a day ahead, so that the workers settle the past day; one target is killed meanwhile. */
  async settle(kill: Kill): Promise<Interrupted> {
    await this.#order();
    const { sql } = this.#database;
    const { id } = this.environment;
    const { clockOffsetMs } = await this.#current();
    const today = await this.#now();
    await steadily(() => sql`update environments set clock_offset_ms = ${clockOffsetMs + DAY_MS} where id = ${id}`);
    const steps = async () => {
      const rows = await sql<
        { step: string }[]
      >`select step from leaderboard_periods where environment_id = ${id} and start <= ${dayOf(today)}`;
      return rows.map(({ step }) => step);
    };
    const isThrough = async () => (await steps()).every((step) => step === "Settled");
    let wasInTheMiddle = false;
    await steadilyUntil(async () => {
      wasInTheMiddle = (await steps()).some((step) => step !== "Open" && step !== "Settled");
      return wasInTheMiddle || isThrough();
    });
    await kill(async () => {});
    await steadilyUntil(isThrough);
    return { wasInTheMiddle, found: [] };
  }

  /** A line per difference between the books and the service. Everything accepted must be applied. */
  async compare(): Promise<string[]> {
    const { sql } = this.#database;
    const { id } = this.environment;
    const settled = await sql<{ start: string }[]>`select start from leaderboard_periods where environment_id = ${id} and step = 'Settled'`;
    const logged = await sql<{ id: string }[]>`select id from events where environment_id = ${id}`;
    const paid = await sql<{ name: string }[]>`
      select concat_ws(' ', p.external_id, t.source_type, t.amount) as name from points_transactions t
      join players p on p.part = t.part and p.player_id = t.player_id where t.environment_id = ${id}`;
    const closed = await sql<{ start: string }[]>`
      select p.start from webhook_deliveries d
      join leaderboard_periods p on p.environment_id = d.environment_id and p.number = (d.data ->> 'periodNumber')::int
      where d.environment_id = ${id} and d.event = 'leaderboard.period_closed'`;
    const days = settled.map(({ start }) => start);
    const buyers = new Set([...this.#days.values()].flatMap((day) => [...day.keys()]));
    const payments = [
      ...[...buyers].map((name) => `${name} Mission 10`),
      ...days.flatMap((day) => winnersOf(this.#days.get(day)).map((name) => `${name} Leaderboard 1`)),
    ];
    return [
      ...differences("order of the workshop", this.#orders, logged.map((row) => row.id)), // oxfmt-ignore
      ...differences("payment of the workshop", payments, paid.map(({ name }) => name)), // oxfmt-ignore
      ...differences("period closed in the workshop", days, closed.map(({ start }) => start)), // oxfmt-ignore
      ...differences("name in the workshop", [String(this.#name)], await this.#names()),
    ];
  }

  /** Orders of today on the Sandbox clock, by players who take part. */
  async #order(): Promise<void> {
    const now = await this.#now();
    const day = this.#days.get(dayOf(now)) ?? new Map<string, number>();
    this.#days.set(dayOf(now), day);
    for (const playerId of PLAYERS) await this.#customer.expect(200, "POST", "/v1/missions", { playerId });
    const orders = Array.from({ length: 20 }, () => ({
      playerId: this.#chance.pick(PLAYERS),
      key: `workshop ${this.#count++}`,
      cents: this.#chance.between(1, 999),
    }));
    const ids = await this.#customer.accepted(
      orders.map(({ playerId, key, cents }) => ({
        playerId,
        event: "order_placed",
        occurredAt: new Date(now).toISOString(),
        idempotencyKey: key,
        properties: { amount: cents / 100 },
      })),
    );
    this.#orders.push(...ids);
    for (const { playerId, cents } of orders) day.set(playerId, (day.get(playerId) ?? 0) + cents);
  }

  async #taskOf(work: Exclude<Work, "settle">, name: number): Promise<Task> {
    const environment = await this.#current();
    if (work === "import") return { kind: work, environment, file: workshopFile(name) };
    if (work === "reset") return { kind: work, environment };
    return { kind: work, environment, to: (await this.#now()) + DAY_MS };
  }

  /** Checks that an interrupted change was applied completely or not at all; returns a line for each violation. */
  async #halves(work: Work, before: number, name: number): Promise<string[]> {
    if (work === "reset") {
      const left = await this.#eventCount();
      return left === before || left === 0 ? [] : [`a reset that was cut off has left ${left} of ${before} events`];
    }
    if (work !== "import") return [];
    const names = await this.#names();
    const isWhole = names.length === 1 && [this.#name, name].map(String).includes(names[0]!);
    return isWhole ? [] : [`an import that was cut off has left the names ${names.join(", ")}`];
  }

  /** Repeats the killed command. */
  async #finish(task: Task): Promise<void> {
    const database = this.#database;
    if (task.kind === "import") await steadily(() => importDefinitions(database, task.environment, parseJson(task.file)));
    else if (task.kind === "reset") await steadily(() => resetSandbox(database, task.environment));
    else if (task.kind === "move") await steadily(() => moveClockUpTo(database, task.environment, task.to));
  }

  #current = (): Promise<Environment> =>
    steadily(async () => (await loadEnvironment(this.#database.sql, this.environment.id)) ?? this.environment);

  #now = async (): Promise<number> => {
    const current = await this.#current();
    return steadily(() => environmentNow(this.#database.sql, current));
  };

  #eventCount = (): Promise<number> =>
    steadily(async () => (await this.#database.sql`select from events where environment_id = ${this.environment.id}`).length);

  #names = (): Promise<string[]> =>
    steadily(async () => {
      const rows = await this.#database.sql<{ name: string }[]>`
        select distinct substring(body ->> 'name' from '[0-9]+') as name from definitions
        where environment_id = ${this.environment.id} and key like 'renamed%'`;
      return rows.map(({ name }) => name);
    });
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** The players with the largest total of a day: several, if they are equal. */
function winnersOf(day: Map<string, number> | undefined): string[] {
  const all = [...(day ?? [])];
  const most = Math.max(...all.map(([, cents]) => cents));
  return all.filter(([, cents]) => cents === most).map(([name]) => name);
}
