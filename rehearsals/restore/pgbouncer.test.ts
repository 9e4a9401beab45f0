import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { testDatabase, testDatabaseUrl } from "../../db/testing.ts";
import { hasWaiting } from "../../server/engine/store/queue.ts";
import { TEST_AUTH_SECRET } from "../../server/delivery/testing.ts";
import { chance } from "../crash/chance.ts";
import { openSandbox } from "../crash/chapter.ts";
import { compareAnswers, compareWithOracle } from "../crash/compare.ts";
import { Customer } from "../crash/customer.ts";
import { LISTINGS, MISSIONS, Oracle } from "../crash/oracle.ts";
import { commandLine, program, steadyPort } from "../../e2e/programs.ts";
import { steadilyUntil } from "../crash/steadily.ts";
import { Traffic } from "../crash/traffic.ts";
import { findPgBouncer, startPgBouncer } from "./pgbouncer.ts";

const pgBouncer = findPgBouncer();
const WHERE = ["--project", "pooled", "--environment", "sandbox"];

test.skipIf(pgBouncer === null)(
  `a web process, a worker and the command line work through PgBouncer in transaction mode${pgBouncer === null ? " (skipped: it is not on this machine)" : ""}`,
  async () => {
    const database = await testDatabase();
    const pooler = await startPgBouncer(pgBouncer!, await testDatabaseUrl());
    const settings = { DATABASE_URL: pooler.url, AUTH_SECRET: TEST_AUTH_SECRET };
    const environment = { ...settings, DEMO: "off", PAGES: "off", WORKER: "off", OWNER_PASSWORD: "only for this test" };
    const programs = await Promise.all(
      (["server/process/main.ts", "server/process/worker.ts"] as const).map(async (file) =>
        program({ name: file, file, port: await steadyPort(), environment }),
      ),
    );
    for (const one of programs) one.start();
    await Promise.all(programs.map((one) => one.ready()));

    const sandbox = await openSandbox(database, "pooled", { version: 1, ...MISSIONS, marketplaceItems: LISTINGS });
    const [oracle, traffic, ports] = [new Oracle(), new Traffic(), programs.slice(0, 1).map(({ port }) => port)];
    const customers = Array.from({ length: 8 }, (_, index) => {
      return new Customer({ name: `c${index}`, ports, apiKey: sandbox.apiKey, oracle, chance: chance(index), shared: [] });
    });
    const running = Promise.all(customers.map((one) => one.run(traffic)));
    await Promise.race([delay(2_000), running]);
    await traffic.pause();
    traffic.end();
    await running;
    await steadilyUntil(async () => !(await hasWaiting(database.sql, sandbox.environment.id)));

    expect(await compareWithOracle(database, sandbox.environment, oracle)).toEqual([]);
    expect(await compareAnswers(customers[0]!, oracle, "Mission never")).toEqual([]);
    await commandLine(["audit", ...WHERE], settings);
    expect([...oracle.sentAgain]).toEqual([]);
    expect(oracle.orders.size).toBeGreaterThan(0);
    expect(await Promise.all(programs.map((one) => one.stop()))).toEqual([0, 0]);
    expect(programs.flatMap((one) => one.faults())).toEqual([]);
    await pooler.close();
  },
  300_000,
);
