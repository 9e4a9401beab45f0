import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { buildPages } from "../server/process/pages/build.ts";
import { steadyPort } from "./programs.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Next alone, as a serverless platform runs it: no server process, no worker. */
export interface Next {
  port: number;
  /** The output since the start. */
  printed(): string;
  /** Sends SIGTERM; the process then finishes the work that it scheduled after its answers. */
  stop(): Promise<void>;
}

export async function startNext(environment: Record<string, string>): Promise<Next> {
  // The test runner's own would get into the build.
  vi.stubEnv("NODE_ENV", "production");
  await buildPages();
  vi.unstubAllEnvs();
  const port = await steadyPort();
  const child = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      LOG_LEVEL: "warn",
      WORKER: "off",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`Next ended with ${child.exitCode}: ${printed}`);
    await delay(50);
  }
  return {
    port,
    printed: () => printed,
    async stop() {
      process.off("exit", end);
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

const answers = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/v1/openapi.json`, { headers: { connection: "close" } })).ok;
  } catch {
    return false;
  }
};
