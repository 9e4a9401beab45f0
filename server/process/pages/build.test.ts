import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { withFileLock } from "#db/embedded/file-lock.ts";
import { DIE_WITH_PARENT, ROOT, runToEnd } from "./build.ts";

const folder = mkdtempSync(join(tmpdir(), "build-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A killed process may remain a zombie until its parent reaps it. */
const isAlive = (pid: number): boolean =>
  /^[^Z]/.test(
    spawnSync("ps", ["-o", "stat=", "-p", String(pid)])
      .stdout.toString()
      .trim(),
  );

/** The words of a line in a file, once another process has written it whole: a file exists before it has content. */
const wordsIn = (file: string): Promise<string[]> =>
  vi.waitUntil(() => (existsSync(file) ? /^(.+)\n$/.exec(readFileSync(file, "utf8"))?.[1]?.split(" ") : undefined), { timeout: 60_000 });

test("a run to completion returns its output", async () => {
  expect(await runToEnd(["-e", "console.log('so'); console.error('far'); process.exitCode = 3"])).toEqual({
    code: 3,
    said: expect.stringMatching(/so\n[^]*far|far\n[^]*so/),
  });
});

test("aborting ends the run and every process it started, even one that ignores signals", async () => {
  const file = join(folder, "pids");
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const script = `
    const worker = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}], { stdio: "inherit" });
    worker.on("spawn", () => require("node:fs").writeFileSync(${JSON.stringify(file)}, process.pid + " " + worker.pid + "\\n"));
    setInterval(() => {}, 1000);`;
  const leaving = new AbortController();
  const running = runToEnd(["-e", script], leaving.signal);
  const pids = (await wordsIn(file)).map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  leaving.abort();
  await running;
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test("a process that waits for the build of another one stops immediately", async () => {
  const path = join(folder, "lock");
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
  const other = withFileLock(path, async () => {
    begin();
    await isOver;
  });
  await hasBegun;
  const leaving = new AbortController();
  const waiting = withFileLock(path, async () => {}, leaving.signal);
  leaving.abort();
  await expect(waiting).rejects.toThrow("aborted");
  end();
  await other;
});

test("a build ends with the process that started it, even when that is killed", async () => {
  const file = join(folder, "build");
  const build = `require("node:fs").writeFileSync(${JSON.stringify(file)}, process.pid + " [" + process.execArgv.join() + "]\\n"); setInterval(() => {}, 1000)`;
  const script = `import { runToEnd } from ${JSON.stringify(join(import.meta.dirname, "build.ts"))};
    await runToEnd([${JSON.stringify(DIE_WITH_PARENT)}, "-e", ${JSON.stringify(build)}]);`;
  const starter = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  const [pid, options] = await wordsIn(file);
  expect([isAlive(Number(pid)), options]).toEqual([true, expect.not.stringContaining("import")]);
  starter.kill("SIGKILL");
  await vi.waitUntil(() => !isAlive(Number(pid)), { timeout: 60_000 });
});

test("no server action is inline: the key that their ids are made from is no secret, and would encrypt what inline ones close over", () => {
  const actions = globSync("{app,server,web}/**/!(*.test).{ts,tsx}", { cwd: ROOT }).filter((path) =>
    /["']use (server|cache)/.test(readFileSync(join(ROOT, path), "utf8")),
  );
  expect(actions).toEqual(["web/auth/actions.ts"]);
  expect(readFileSync(join(ROOT, actions[0]!), "utf8").split("use server")).toEqual(['"', expect.any(String)]);
});
