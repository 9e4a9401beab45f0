import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, openDatabase } from "../../db/client.ts";
import { hasWaiting } from "../../server/engine/store/queue.ts";
import { TEST_AUTH_SECRET } from "../../server/delivery/testing.ts";
import { chance } from "../crash/chance.ts";
import { openSandbox } from "../crash/chapter.ts";
import { compareWithOracle } from "../crash/compare.ts";
import { type Acknowledged, Customer } from "../crash/customer.ts";
import { LISTINGS, MISSIONS, Oracle } from "../crash/oracle.ts";
import { commandLine, program, steadyPort } from "../../e2e/programs.ts";
import { steadilyUntil } from "../crash/steadily.ts";
import { Traffic } from "../crash/traffic.ts";
import { exchange } from "../../e2e/http.ts";
import { type BackupKind, backupOf } from "./backups.ts";
import { OwnServer } from "./own-server.ts";
import type { PostgresPrograms } from "./postgres-programs.ts";
import { sendAgain } from "./send-again.ts";

interface RehearsalOptions {
  programs: PostgresPrograms;
  kind: BackupKind;
  /** A folder that is empty. */
  folder: string;
  /** How long the traffic flows before the backup and after it. */
  flowMs: number;
  /** Runs the command line; in a process of its own by default. */
  runCommand?: typeof commandLine;
  /** Called for each step. */
  onStep?(line: string): void;
}

/** The result of a rehearsal. */
export interface Rehearsed {
  /** The number of acknowledged requests that changed something. */
  acknowledged: number;
  /** The number of acknowledged orders that the restored database did not have. */
  lost: number;
  /** The number of erased players that the backup restored and that were erased again. */
  erasedAgain: number;
  /** A line for each error. */
  differences: string[];
}

const PROJECT = "rehearsal";
const WHERE = ["--project", PROJECT, "--environment", "sandbox"];
const FORGOTTEN = "forgotten";
const CONNECTIONS = 4;

/**
 * Rehearses docs/backup.md: backs up a service under load, then erases a player and deletes the server with all its files. The database is
 * restored, the erasures are repeated, and the customer resends everything acknowledged, with its idempotency keys. Then everything must
 * match the customer's books, and the audit must pass.
 */
export async function rehearseRestore(options: RehearsalOptions): Promise<Rehearsed> {
  const { programs, kind, folder, flowMs, runCommand = commandLine, onStep = () => {} } = options;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const backup = backupOf(kind, programs, folder);
  const before = await OwnServer.open(programs, join(folder, "lost"), { settings: backup.settings });
  await before.createDatabase();
  onStep(`PostgreSQL ${programs.version} runs, and the service starts on it`);
  const service = await start(before.url);
  const database = openDatabase(before.url, { connections: 2 });
  const { environment, apiKey } = await openSandbox(database, PROJECT, { version: 1, ...MISSIONS, marketplaceItems: LISTINGS });
  const [oracle, journal, traffic] = [new Oracle(), [] as Acknowledged[], new Traffic()];
  const customers = Array.from({ length: CONNECTIONS }, (_, index) => {
    const options = { name: `c${index}`, ports: [service.port], apiKey, oracle, journal, chance: chance(index), shared: [] };
    return new Customer(options).run(traffic);
  });
  const running = Promise.all(customers);
  const flow = () => Promise.race([delay(flowMs), running]);
  await createForgotten(service.port, apiKey);
  await flow();

  onStep("a backup is taken under traffic");
  await backup.take(before);
  await flow();
  await backup.mark(before);
  await flow();

  onStep("a player is erased; the list of erasures is kept apart");
  const settings = { DATABASE_URL: before.url, AUTH_SECRET: TEST_AUTH_SECRET };
  await runCommand(["player", "erase", ...WHERE, "--id", FORGOTTEN, "--reason", "The player asked"], settings);
  const erasures = join(folder, "erasures.jsonl");
  writeFileSync(erasures, await runCommand(["player", "erasures", ...WHERE], settings));
  await flow();
  await traffic.pause();
  traffic.end();
  await running;
  await backup.close(before);

  onStep("the service is killed, and the server is lost with all its files");
  await service.kill();
  await database.close();
  before.destroy();

  const after = await backup.restore();
  onStep("the database is restored, and the erasures are repeated");
  const restored = openDatabase(after.url, { connections: 2 });
  const differences: string[] = [];
  const isKnown = async () => (await restored.sql`select from players where external_id = ${FORGOTTEN}`).length > 0;
  if (!(await isKnown())) differences.push("the backup did not contain the erased player, so the erasure was not rehearsed");
  const own = { ...settings, DATABASE_URL: after.url };
  await runCommand(["player", "repeat-erasures", ...WHERE, "--file", erasures], own);
  const erasedAgain = (await isKnown()) ? 0 : 1;
  const lost = await forgetLost(restored, oracle);

  onStep(`the service starts on it; ${journal.length} acknowledged requests are sent again`);
  const again = await start(after.url);
  const settled = () => steadilyUntil(async () => !(await hasWaiting(restored.sql, environment.id)));
  differences.push(...(await sendAgain({ port: again.port, apiKey, oracle, journal, settled })));
  await settled();
  differences.push(...(await compareWithOracle(restored, environment, oracle)));
  if (await isKnown()) differences.push("the erased player exists again");
  await runCommand(["audit", ...WHERE], own).catch((error: Error) => differences.push(`audit: ${error.message}`));
  differences.push(...again.faults());
  const code = await again.stop();
  if (code !== 0) differences.push(`the service ended with ${code} when it was stopped`);
  await restored.close();
  after.destroy();
  return { acknowledged: journal.length, lost, erasedAgain, differences };
}

async function start(url: string) {
  const environment = {
    ...{ DATABASE_URL: url, AUTH_SECRET: TEST_AUTH_SECRET, DEMO: "off", PAGES: "off", OWNER_PASSWORD: "only for this test" },
    // Worker threads would load the whole service again, and the rehearsal only concerns the data.
    WORKER_THREADS: "0",
  };
  const service = program({ name: "service", file: "server/process/main.ts", port: await steadyPort(), environment });
  service.start();
  await service.ready();
  return service;
}

/** Gives the player who will be erased events and points before the backup. */
async function createForgotten(port: number, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const post = (path: string, body: object) => exchange(port, "POST", path, { headers, body });
  const event = { playerId: FORGOTTEN, event: "order_placed", occurredAt: new Date().toISOString() };
  const answers = [
    await post("/v1/events", { events: [event, event] }),
    await post("/v1/points/adjustments", { playerId: FORGOTTEN, amount: 12, reason: "A gift", idempotencyKey: "gift" }),
  ];
  const wrong = answers.find(({ status }) => status !== 200);
  if (wrong !== undefined) throw new Error(`A request for the player to be erased was answered ${wrong.text}`);
}

/** The number of lost acknowledged orders. Drops lost events without a key from the books: resent, they would be new events. */
export async function forgetLost({ sql }: Database, oracle: Oracle): Promise<number> {
  const rows = await sql<{ id: string }[]>`select id from events`;
  const there = new Set(rows.map(({ id }) => id));
  const kept = oracle.others.filter((id) => there.has(id));
  oracle.others.splice(0, oracle.others.length, ...kept);
  return [...oracle.orders.values()].filter((id) => !there.has(id)).length;
}
