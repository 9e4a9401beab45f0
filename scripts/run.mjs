// Runs tools for the check and test scripts.
import { spawn } from "node:child_process";

/** Runs a program to its end: whether it succeeded and what it said. With `shows` it writes straight to the terminal instead. */
export async function run(command, args, { shows = false, env = {} } = {}) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: shows ? "inherit" : ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const handOn = (signal) => child.kill(signal);
  process.on("SIGTERM", handOn);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
  const succeeded = await new Promise((resolve) => child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)));
  process.off("SIGTERM", handOn);
  return { succeeded, said, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}
