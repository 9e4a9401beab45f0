import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { patienceMs } from "./lifecycle.ts";

/** Starts a process with `runProcess`, sends it signals at its cue, and returns its output and how it ended. */
async function run(start: string, { signals = [] as NodeJS.Signals[], env = {} as Record<string, string> } = {}) {
  const lifecycle = JSON.stringify(new URL("./lifecycle.ts", import.meta.url).href);
  const operatorError = JSON.stringify(new URL("../model/kernel/operator-error.ts", import.meta.url).href);
  const program = `
    import { runProcess } from ${lifecycle};
    import { OperatorError } from ${operatorError};
    const say = (text) => console.log(text);
    const never = new Promise(() => {});
    setInterval(() => {}, 1000);
    runProcess(async ({ manage, settings }) => { ${start} });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { env: { NODE_ENV: "test", ...env } });
  let said = "";
  let complained = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const text = chunk.toString();
    said += text;
    if (text.includes("ready") && signals[0]) child.kill(signals[0]);
    // A second signal has to come later than the two of one Ctrl-C.
    if (text.includes("releasing")) setTimeout(() => child.kill(signals[1]), 700);
  });
  child.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return { said: said.trim().split("\n"), complained, code, signal };
}

test("a signal releases everything in reverse order and exits 0", async () => {
  const start = `
    await manage(1, async (held) => say("released " + held));
    await manage(Promise.resolve(2), async (held) => say("released " + held));
    say("ready");`;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    expect(await run(start, { signals: [signal] })).toMatchObject({ said: ["ready", "released 2", "released 1"], code: 0 });
});

test("a signal during the start releases what is being opened and stops the start", async () => {
  const start = `
    const opening = new Promise((resolve) => process.once("SIGTERM", () => setTimeout(resolve, 100, "database")));
    const held = manage(opening, async (held) => say("released " + held));
    say("ready");
    await held;
    say("went on");`;
  expect(await run(start, { signals: ["SIGTERM"] })).toMatchObject({ said: ["ready", "released database"], code: 0 });
});

test("a second signal ends a process whose shutdown hangs", async () => {
  const start = `await manage(1, async () => { say("releasing"); await never; }); say("ready");`;
  expect(await run(start, { signals: ["SIGTERM", "SIGTERM"] })).toMatchObject({ said: ["ready", "releasing"], code: 1 });
});

test("a stop ends within the 30 seconds that platforms allow, although everything that a process releases hangs", () => {
  let stoppingForMs = 0;
  for (let count = 0; count < 11; count++) stoppingForMs += patienceMs(stoppingForMs);
  expect(stoppingForMs).toBeLessThan(30_000);
  expect(patienceMs(0), "running requests get ten seconds").toBeGreaterThan(10_000);
});

test("operator errors are a line each on standard error, and everything is released", async () => {
  const start = `await manage(1, async () => say("released")); throw new OperatorError("First.", "Second.");`;
  expect(await run(start)).toMatchObject({ said: ["released"], complained: "First.\nSecond.\n", code: 1 });
});

test("a wrong setting stops the start before anything opens", async () => {
  const ended = await run(`say("began");`, { env: { PORT: "x", WORKER: "maybe" } });
  expect(ended).toMatchObject({ said: [""], code: 1 });
  expect(ended.complained.trim().split("\n")).toHaveLength(2);
});
