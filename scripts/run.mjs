// Runs tools for the check and test scripts.
import { spawn } from "node:child_process";
import { setPriority } from "node:os";

/** Background work runs at low priority, on processor time that the rest leaves. */
const YIELDING = 10;

/**
 * Runs a program to its end: whether it succeeded, and its output. With `shows` it writes directly to the terminal, `tell` receives its
 * output in parts; with `yields` it runs at low priority.
 */
export async function run(command, args, { shows = false, yields = false, tell = () => {}, env = {} } = {}) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: shows ? "inherit" : ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  if (yields && child.pid !== undefined) setPriority(child.pid, YIELDING);
  const handOn = (signal) => child.kill(signal);
  process.on("SIGTERM", handOn);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      said += chunk;
      tell(chunk);
    });
  const succeeded = await new Promise((resolve) => child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)));
  process.off("SIGTERM", handOn);
  return { succeeded, said, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}
