import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Task } from "./task-process.ts";
import { COMPILE_CACHE, endProcess, hasExited, QUICK_START } from "../../e2e/programs.ts";

const PROGRAM = fileURLToPath(new URL("task-process.ts", import.meta.url));

/** Processes that run operations and may be killed. Two are kept ready, since each takes a while to start. */
export class TaskProcesses {
  readonly #url: string;
  readonly #spare: Promise<ChildProcess>[];

  constructor(url: string) {
    this.#url = url;
    this.#spare = [this.#open(), this.#open()];
  }

  /** Starts an operation; `hasEnded` tells whether it was completed or interrupted. */
  async begin(task: Task) {
    this.#spare.push(this.#open());
    const child = await this.#spare.shift()!;
    let hasAnswered = false;
    child.once("message", () => (hasAnswered = true));
    child.send(task);
    return {
      hasEnded: () => hasAnswered,
      /** Waits until it has ended, then ends the process. */
      async end(): Promise<void> {
        if (!hasAnswered && !hasExited(child)) await Promise.race([once(child, "message"), once(child, "exit")]);
        await endProcess(child, "SIGKILL");
      },
      /** `kill -9`. */
      kill: () => endProcess(child, "SIGKILL"),
    };
  }

  async close(): Promise<void> {
    for (const spare of this.#spare) await endProcess(await spare, "SIGKILL");
  }

  async #open(): Promise<ChildProcess> {
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
    const child = spawn(process.execPath, [...QUICK_START, PROGRAM, this.#url], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await once(child, "message");
    return child;
  }
}
