import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

/** npm run hostile -- --minutes n [--bodies n] [--seed n] [--first n]: the suite of `npm test`, for as long as wanted. */
const { values } = parseArgs({
  options: { minutes: { type: "string" }, bodies: { type: "string" }, seed: { type: "string" }, first: { type: "string" } },
});
const given = Object.entries(values).map(([name, value]) => [`HOSTILE_${name.toUpperCase()}`, value]);
const environment = given.length === 0 ? { HOSTILE_MINUTES: "10" } : (Object.fromEntries(given) as Record<string, string>);
const child = spawn(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "e2e/hostile/hostile.test.ts", "--disable-console-intercept"],
  {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => (process.exitCode = code ?? 1));
