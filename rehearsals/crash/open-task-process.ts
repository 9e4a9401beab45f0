import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Task } from "./task-process.ts";
import { COMPILE_CACHE, endProcess, hasExited, QUICK_START } from "../../e2e/programs.ts";

const PROGRAM = fileURLToPath(new URL("task-process.ts", import.meta.url));

/** Begins an operation; `hasEnded` tells whether it has finished, with or without an error. */
export type BeginTask = Awaited<ReturnType<typeof openTaskProcess>>;

/** A process for one operation, which may be killed. It is ready, so that the operation begins at once. */
export async function openTaskProcess(url: string) {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
  const child = spawn(process.execPath, [...QUICK_START, PROGRAM, url], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await once(child, "message");
  return (task: Task) => {
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
  };
}
