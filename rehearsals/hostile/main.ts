import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

/**
 * npm run hostile -- --minutes n [--bodies n] [--seed n] [--first n]: runs the suites of `npm test` at full length: bodies for the given
 * time, and the campaign of costly calls in its largest world.
 */
const { values } = parseArgs({
  options: { minutes: { type: "string" }, bodies: { type: "string" }, seed: { type: "string" }, first: { type: "string" } },
});
const given = Object.entries(values).map(([name, value]) => [`HOSTILE_${name.toUpperCase()}`, value]);
const environment = given.length === 0 ? { HOSTILE_MINUTES: "10" } : (Object.fromEntries(given) as Record<string, string>);
// `--first` repeats a finding of the bodies: then the campaign is left out.
const suites = ["hostile", ...(values.first === undefined ? ["campaign"] : [])].map((name) => `rehearsals/hostile/${name}.test.ts`);
const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...suites, "--disable-console-intercept"], {
  stdio: "inherit",
  env: { ...process.env, ...environment },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => (process.exitCode = code ?? 1));
