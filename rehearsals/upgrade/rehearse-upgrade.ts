import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { openDatabase, type Sql } from "../../db/client.ts";
import { loadEnvironment } from "../../server/engine/environment.ts";
import { hasWaiting } from "../../server/engine/store/queue.ts";
import { checkIntegrity } from "../../server/operations/integrity/check.ts";
import { TEST_AUTH_SECRET } from "../../server/delivery/testing.ts";
import { chance } from "../crash/chance.ts";
import { compareAnswers, compareWithOracle } from "../crash/compare.ts";
import { Customer } from "../crash/customer.ts";
import { startDurableDatabase } from "../crash/durable.ts";
import { LISTINGS, MISSIONS, Oracle } from "../crash/oracle.ts";
import { commandLine, entryIn, type Program, program, steadyPort } from "../../e2e/programs.ts";
import { steadilyUntil } from "../crash/steadily.ts";
import { Traffic } from "../crash/traffic.ts";

interface UpgradeOptions {
  /** A checkout of the older version, with node_modules. */
  older: string;
  /** A checkout of the newer version. */
  newer: string;
  /** The folder for the database's files. */
  folder: string;
  /** How long the traffic flows in each stage. */
  flowMs: number;
  /** Checks the migrations' results; returns a line for each error. */
  check(sql: Sql): Promise<string[]>;
  onStep?(line: string): void;
}

/** The result of an upgrade. */
export interface Upgraded {
  answers: number;
  /** A line for each failed request, and for each difference from the customer's books. */
  differences: string[];
}

const PROJECT = "upgrade";
const CONNECTIONS = 4;
/** Refusals that no upgrade causes: rate limits, and concurrent changes of the same row. */
const USUAL = /^429 |concurrent_update$/;

/**
 * Rehearses docs/upgrading.md: an older version serves while a newer one migrates its database, works on the new schema, also after a
 * restart, and is then replaced process by process. No request may fail, and everything must match the customer's books.
 */
export async function rehearseUpgrade({ older, newer, folder, flowMs, check, onStep = () => {} }: UpgradeOptions): Promise<Upgraded> {
  const server = await startDurableDatabase({ folder, settings: { shared_buffers: "64MB" } });
  const differences: string[] = [];
  onStep("two web processes and two workers of the older version start");
  const before = await startPrograms("old", server.url, older);
  const ports = before.web.map(({ port }) => port);
  const database = openDatabase(server.url, { connections: 2 });
  const apiKey = await openProject(server.url, older, folder);
  const { oracle, customer, flow, end } = startCustomers(apiKey, ports, flowMs);
  await flow();

  onStep("the newer version migrates the database while the older one serves");
  await migrate(server.url, newer);
  await flow();
  onStep("a web process and a worker of the older version are restarted on the new schema");
  const replaced = await startPrograms("old, later", server.url, older, 1);
  ports.push(...replaced.web.map(({ port }) => port));
  await leave({ web: before.web.slice(0, 1), workers: before.workers.slice(0, 1) }, ports, differences);
  await flow();

  onStep("the newer version starts beside the older one, whose processes are then stopped");
  const after = await startPrograms("new", server.url, newer);
  ports.push(...after.web.map(({ port }) => port));
  await flow();
  await leave({ web: before.web.slice(1), workers: before.workers.slice(1) }, ports, differences);
  await flow();
  await leave(replaced, ports, differences);
  await flow();

  await end();
  const [row] = await database.sql<{ id: number }[]>`
    select e.id from environments e join projects p on p.id = e.project_id where p.slug = ${PROJECT} and e.kind = 'sandbox'`;
  const environment = (await loadEnvironment(database.sql, row!.id))!;
  await steadilyUntil(async () => !(await hasWaiting(database.sql, environment.id)));
  differences.push(...(await compareWithOracle(database, environment, oracle)));
  differences.push(...(await compareAnswers(customer, oracle, "Mission never")));
  differences.push(...(await checkIntegrity(database, environment)).map((line) => `audit: ${line}`));
  differences.push(...(await check(database.sql)));
  for (const [reason, count] of oracle.sentAgain) if (!USUAL.test(reason)) differences.push(`${count} requests failed: ${reason}`);
  await leave(after, ports, differences);
  await database.close();
  await server.stop();
  return { answers: oracle.answers, differences };
}

/** Migrates as a serverless deployment does (`server/process/migrate.ts`). Throws if that fails. */
async function migrate(url: string, root: string): Promise<void> {
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" as const, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [entryIn(root, "server/process/migrate.ts")], { cwd: root, env });
}

/** Makes a project by the older version's command line, because newer code would write columns that are missing yet; returns a key. */
async function openProject(url: string, older: string, folder: string): Promise<string> {
  const file = join(folder, "..", "definitions.json");
  writeFileSync(file, JSON.stringify({ version: 1, ...MISSIONS, marketplaceItems: LISTINGS }));
  const run = (...words: string[]) => commandLine(words, { DATABASE_URL: url, AUTH_SECRET: TEST_AUTH_SECRET }, older);
  const sandbox = ["--project", PROJECT, "--environment", "sandbox"];
  await run("project", "create", "--slug", PROJECT, "--name", "Upgrade", "--language", "en", "--time-zone", "UTC");
  await run("definitions", "import", file, ...sandbox);
  return run("api-key", "create", ...sandbox, "--name", "Customers");
}

function startCustomers(apiKey: string, ports: number[], flowMs: number) {
  const [oracle, traffic] = [new Oracle(), new Traffic()];
  const customers = Array.from({ length: CONNECTIONS }, (_, index) => {
    return new Customer({ name: `c${index}`, ports, apiKey, oracle, chance: chance(index), shared: [] });
  });
  const running = Promise.all(customers.map((one) => one.run(traffic)));
  return {
    oracle,
    customer: customers[0]!,
    flow: () => Promise.race([delay(flowMs), running]),
    async end(): Promise<void> {
      await traffic.pause();
      traffic.end();
      await running;
    },
  };
}

interface Programs {
  web: Program[];
  workers: Program[];
}

async function startPrograms(version: string, url: string, root: string, count = 2): Promise<Programs> {
  const environment = {
    DATABASE_URL: url,
    AUTH_SECRET: TEST_AUTH_SECRET,
    DEMO: "off",
    PAGES: "off",
    WORKER: "off",
    OWNER_PASSWORD: "only for this test",
  };
  const several = (kind: string, file: "server/process/main.ts" | "server/process/worker.ts") =>
    Promise.all(
      Array.from({ length: count }, async (_, index) =>
        program({ name: `${version} ${kind} ${index + 1}`, file, port: await steadyPort(), environment, root }),
      ),
    );
  const programs = { web: await several("web", "server/process/main.ts"), workers: await several("worker", "server/process/worker.ts") };
  const all = [...programs.web, ...programs.workers];
  for (const one of all) one.start();
  await Promise.all(all.map((one) => one.ready()));
  return programs;
}

/** Stops programs by SIGTERM. Web processes get no new requests before, as behind a load balancer, and finish the running ones. */
async function leave({ web, workers }: Programs, ports: number[], differences: string[]): Promise<void> {
  for (const { port } of web) ports.splice(ports.indexOf(port), 1);
  for (const one of [...web, ...workers]) {
    const code = await one.stop();
    if (code !== 0) differences.push(`${one.name} ended with ${code} when it was stopped`);
    differences.push(...one.faults());
  }
}
