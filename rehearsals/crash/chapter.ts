import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/client.ts";
import { createApiKey } from "../../server/people/api-keys/api-keys.ts";
import { hasWaiting } from "../../server/engine/store/queue.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";
import { parseJson } from "../../server/model/kernel/json.ts";
import { createProject } from "../../server/people/projects/projects.ts";
import { createEndpoint } from "../../server/delivery/service/endpoints.ts";
import { testCipher } from "../../server/delivery/testing.ts";
import { checkIntegrity } from "../../server/operations/integrity/check.ts";
import { moveClockUpTo } from "../../server/operations/sandbox/move-clock.ts";
import { LISTINGS, MISSIONS, Oracle } from "./oracle.ts";
import { type Chance, chance } from "./chance.ts";
import { compareAnswers, compareDeliveries, compareWithOracle } from "./compare.ts";
import { Customer } from "./customer.ts";
import type { CustomersReceiver, Deliveries } from "./receiver.ts";
import { steadily, steadilyUntil } from "./steadily.ts";
import { Traffic } from "./traffic.ts";
import { Workshop, workshopFile } from "./workshop.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";

const SHARED = ["shared-0", "shared-1", "shared-2", "shared-3"];
const EVENTS = ["mission.completed", "catalog_item.fulfillment_requested", "streak.milestone_reached"];

export interface ChapterOptions {
  database: Database;
  /** Waits until everything committed is readable. */
  recovered(): Promise<void>;
  receiver: CustomersReceiver;
  ports: number[];
  seed: number;
  connections: number;
}

/** The result of a chapter. */
export interface ChapterFigures {
  answers: number;
  facts: number;
  completions: number;
  deliveries: number;
}

/**
 * A part of a run: a customer under load, with an oracle, product staff who keep renaming a mission, and a workshop. A long run has many
 * chapters, so that comparisons stay small.
 */
export class Chapter {
  readonly #traffic = new Traffic();
  readonly #oracle = new Oracle();
  readonly #shopOracle = new Oracle();
  readonly #database: Database;
  readonly #recovered: () => Promise<void>;
  readonly #environment: Environment;
  readonly #deliveries: Deliveries;
  readonly #reader: Customer;
  readonly workshop: Workshop;
  readonly #running: Promise<unknown>;
  #lastName = "Mission never";

  private constructor(
    { database, recovered, ports, seed, connections }: ChapterOptions,
    { environment, apiKey, deliveries }: { environment: Environment; apiKey: string; deliveries: Deliveries },
    workshop: { environment: Environment; apiKey: string },
  ) {
    this.#database = database;
    this.#recovered = recovered;
    this.#environment = environment;
    this.#deliveries = deliveries;
    const oracle = this.#oracle;
    this.#reader = new Customer({ name: "reader", ports, apiKey, oracle, chance: chance(seed), shared: SHARED });
    const dealer = new Customer({
      name: "dealer",
      ports,
      apiKey: workshop.apiKey,
      oracle: this.#shopOracle,
      chance: chance(seed),
      shared: [],
    });
    this.workshop = new Workshop({ database, environment: workshop.environment, customer: dealer, chance: chance(seed + 1) });
    const customers = Array.from({ length: connections }, (_, index) => {
      const options = { name: `c${index}`, ports, apiKey, oracle, chance: chance(seed * 1000 + index), shared: SHARED };
      return new Customer(options).run(this.#traffic);
    });
    this.#running = Promise.all([...customers, this.#rename(chance(seed + 2))]);
    this.#running.catch(() => {});
  }

  static async open(options: ChapterOptions): Promise<Chapter> {
    const { database, receiver, ports, seed } = options;
    const main = await openSandbox(database, `faults-${seed}`, { version: 1, ...MISSIONS, marketplaceItems: LISTINGS });
    const deliveries = await subscribe(database, receiver, main.environment, `faults-${seed}`, EVENTS);
    const workshop = await openSandbox(database, `workshop-${seed}`, workshopFile(0));
    await subscribe(database, receiver, workshop.environment, `workshop-${seed}`, ["leaderboard.period_closed"]);
    // Starts at noon, so that no midnight is between an order and its day.
    const tomorrow = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    await steadily(() => moveClockUpTo(database, workshop.environment, tomorrow + 43_200_000));
    // The audit tolerates a second for newly created endpoints.
    await delay(1_100);
    const host = { name: "host", ports, apiKey: main.apiKey, oracle: new Oracle(), chance: chance(seed), shared: [] };
    for (const playerId of SHARED) await new Customer(host).welcome(playerId);
    const chapter = new Chapter(options, { ...main, deliveries }, workshop);
    for (const playerId of SHARED) chapter.#oracle.open(playerId, true);
    return chapter;
  }

  /** The number of acknowledged facts so far. */
  get acknowledged(): number {
    return this.#oracle.orders.size;
  }

  /** Runs the traffic until something more has been acknowledged, and some time has passed. Throws the customers' errors. */
  async flow(ms: number): Promise<void> {
    const before = this.acknowledged;
    this.#traffic.resume();
    await Promise.race([delay(ms), this.#running]);
    while (this.acknowledged === before) await Promise.race([delay(10), this.#running]);
  }

  /** Pauses the traffic, until it flows again. */
  async pause(): Promise<void> {
    await Promise.race([this.#traffic.pause(), this.#running]);
  }

  /** Sends this many batches of orders concurrently, each retried until acknowledged. */
  crowd(count: number): Promise<unknown> {
    return Promise.race([this.#reader.sendAtOnce(count), this.#running]);
  }

  /** Pauses the traffic, waits until everything is applied, and compares: a line per difference. */
  async compare(): Promise<string[]> {
    await this.pause();
    for (const { id } of [this.#environment, this.workshop.environment])
      await steadilyUntil(async () => !(await hasWaiting(this.#database.sql, id)));
    await this.#recovered();
    const found = [
      ...(await steadily(() => compareWithOracle(this.#database, this.#environment, this.#oracle))),
      ...(await steadily(() => this.workshop.compare())),
    ];
    for (const environment of [this.#environment, this.workshop.environment])
      found.push(...(await steadily(() => checkIntegrity(this.#database, environment))).map((line) => `audit: ${line}`));
    return found;
  }

  /** Ends the traffic and compares once more, with the receiver's requests and the players' views. */
  async close(): Promise<{ found: string[]; figures: ChapterFigures }> {
    const found = await this.compare();
    this.#traffic.end();
    await this.#running;
    await this.#delivered();
    const database = this.#database;
    found.push(...(await steadily(() => compareDeliveries(database, this.#environment, this.#oracle, this.#deliveries))));
    found.push(...(await compareAnswers(this.#reader, this.#oracle, this.#lastName)));
    const ids = [this.#environment.id, this.workshop.environment.id];
    const count = async (table: string) =>
      steadily(async () => (await database.sql`select from ${database.sql(table)} where environment_id = any(${ids}::int[])`).length);
    return {
      found,
      figures: {
        answers: this.#oracle.answers + this.#shopOracle.answers,
        facts: this.#oracle.orders.size + this.#oracle.others.length + this.workshop.acknowledged,
        completions: await count("mission_completions"),
        deliveries: await count("webhook_deliveries"),
      },
    };
  }

  /** Waits until every delivery has ended; those waiting for a retry, or for a killed process's lease, become due now. */
  async #delivered(): Promise<void> {
    const ids = [this.#environment.id, this.workshop.environment.id];
    await steadilyUntil(async () => {
      const rows = await this.#database.sql`
        update webhook_deliveries set due_at = least(due_at, clock_timestamp()), leased_until = leased_until - interval '1 minute'
        where environment_id = any(${ids}::int[]) and status = 'Pending' returning id`;
      await delay(rows.length > 0 ? 300 : 0);
      return rows.length === 0;
    });
  }

  /** Product staff who keep renaming a mission, from a process of their own. */
  #rename({ between }: Chance): Promise<void> {
    let round = 0;
    return this.#traffic.keepDoing(
      async () => {
        const name = `Never ${++round}`;
        const missions = MISSIONS.missions.map((one) => ("key" in one && one.key === "never" ? { ...one, name } : one));
        await steadily(() => importFile(this.#database, this.#environment, { version: 1, missions }));
        this.#lastName = name;
      },
      () => delay(between(100, 400)),
    );
  }
}

/** A project for customers, with the definitions of a file and a key for its Sandbox. */
export async function openSandbox(database: Database, slug: string, file: object | string) {
  const settings = { slug, name: slug, defaultLanguage: "en", timeZone: "UTC" };
  const { sandbox } = await steadily(() => createProject(database, settings, slug));
  await steadily(() => importFile(database, sandbox, file));
  return { environment: sandbox, apiKey: await steadily(() => createApiKey(database, sandbox, "faults")) };
}

async function importFile(database: Database, environment: Environment, file: object | string): Promise<void> {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  const result = await importDefinitions(database, environment, parseJson(text));
  if ("problems" in result) throw new Error(`a definitions file is refused: ${JSON.stringify(result.problems)}`);
}

async function subscribe(
  database: Database,
  receiver: CustomersReceiver,
  environment: Environment,
  name: string,
  events: string[],
): Promise<Deliveries> {
  const endpoint = { url: receiver.urlOf(name), events };
  const { secret } = await steadily(() =>
    createEndpoint(database, environment, endpoint as never, { allowPrivateAddresses: true, cipher: testCipher }),
  );
  return receiver.expect(name, secret);
}
