import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { test as base } from "@playwright/test";

/** The service as `npm start` runs it, with a database of its own. */
export interface Service {
  url: string;
  /** The output so far: the owner's sign-in and the Sandbox key are in it. */
  printed(): string;
  /** Runs the command line beside its database; what it prints to standard output. */
  cli(...args: string[]): Promise<string>;
}

/** A first start builds the pages. */
const PATIENCE_MS = 480_000;

/** The user who signs in to it. */
export const OWNER = { email: "owner@example.com", password: "correct horse battery staple" };

/** Tests in a browser against a service that was really started; one for all tests of a worker. */
export const test = base.extend<object, { service: Service }>({
  service: [
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), "engagement-e2e-"));
      const port = await freePort();
      const url = `http://localhost:${port}`;
      const child = spawn(process.execPath, ["server/main.ts"], {
        env: {
          ...process.env,
          PORT: String(port),
          DATA_DIR: dataDir,
          BASE_URL: url,
          OWNER_EMAIL: OWNER.email,
          OWNER_PASSWORD: OWNER.password,
          WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let printed = "";
      child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      try {
        await untilReady(url, child);
        const cli = async (...args: string[]) => {
          const env = { ...process.env, DATA_DIR: dataDir };
          return (await promisify(execFile)(process.execPath, ["server/cli/main.ts", ...args], { env })).stdout.trim();
        };
        await use({ url, printed: () => printed, cli });
      } finally {
        child.kill("SIGTERM");
        if (child.exitCode === null) await once(child, "exit");
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    { scope: "worker", timeout: PATIENCE_MS + 20_000 },
  ],
  baseURL: ({ service }, use) => use(service.url),
});

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await answers(`${url}/v1/openapi.json`))) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode} before it was ready.`);
    // Before the runner gives up by itself, which would leave the service behind.
    if (Date.now() > deadline) throw new Error("The service was not ready in time.");
    await sleep(100);
  }
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
