import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, expect } from "vitest";
import type { Database } from "../db/client.ts";
import { sharedDatabase, testProject, type TestProject } from "../db/testing.ts";
import { Heartbeat } from "../server/api/heartbeat.ts";
import { createApiListener, SERVER_OPTIONS } from "../server/api/http.ts";
import type { Runner } from "../server/model/kernel/runner.ts";
import type { ProjectSettings } from "../server/model/projects/settings.ts";
import { checkTogether } from "../server/operations/integrity/check.ts";
import { startWorker } from "../server/operations/worker/loop.ts";
import { Backend } from "./backend.ts";
import { type Conformance, conformanceTo } from "./conformance.ts";
import { exchange } from "./http.ts";
import { testCipher } from "../server/delivery/testing.ts";

export const BASE_URL = "https://points.example.com";

export interface Service {
  database: Database;
  port: number;
  conformance: Conformance;
  /** Stops the worker, so that accepted facts stay in the queue. */
  pause(): Promise<void>;
  resume(): void;
  /** A project of the test's own, with a backend for each environment. */
  customer(settings?: Partial<ProjectSettings>): Promise<{ project: TestProject; sandbox: Backend; live: Backend }>;
  /** The Sandbox of a project of the test's own, with these definitions. */
  sandbox(file?: object, settings?: Partial<ProjectSettings>): Promise<Backend>;
}

/**
 * The service on a port of its own with a worker, both on the database that test files share, or another one. At the end of the file no
 * background error may have been logged, and the integrity check of all data that its tests left behind must pass.
 */
export async function startService(another?: Database): Promise<Service> {
  const database = another ?? (await sharedDatabase());
  const faults: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void faults.push(line) });
  const backends: Backend[] = [];
  let worker: Runner | null = null;
  const heartbeat = new Heartbeat(database);
  const listener = createApiListener({ database, baseUrl: BASE_URL, logger, heartbeat, wake: () => worker?.wake() });
  const server = createServer(SERVER_OPTIONS, (request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const service: Service = {
    database,
    port,
    conformance: conformanceTo((await exchange(port, "GET", "/v1/openapi.json")).json),
    async pause() {
      await worker?.stop();
      worker = null;
    },
    resume() {
      worker ??= startWorker({ database, logger, allowPrivateAddresses: true, cipher: testCipher });
    },
    async customer(settings) {
      const project = await testProject(database, settings);
      const sandbox = new Backend(service, project.sandbox, project.sandboxKey);
      const live = new Backend(service, project.live, project.liveKey);
      backends.push(sandbox, live);
      return { project, sandbox, live };
    },
    async sandbox(file = {}, settings) {
      const { sandbox } = await service.customer(settings);
      await sandbox.define(file);
      return sandbox;
    },
  };
  service.resume();
  afterAll(async () => {
    const environments = backends.map(({ environment }) => environment);
    const broken = await checkTogether(database, environments);
    await service.pause();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    // Where test files share a database, the next one immediately has the whole limit of running requests.
    await heartbeat.stop();
    expect(broken).toEqual([]);
    expect(faults).toEqual([]);
  });
  return service;
}
