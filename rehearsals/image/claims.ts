import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "./dockerfile.ts";
import { type Built, processOf, startInImage } from "./layers.ts";

interface Surroundings {
  databaseUrl: string;
  /** Paths of the packages that are only needed for development. */
  devDependencies: readonly string[];
}

const PORT = 38_471;
const OPERATIONS = 38_472;
const PATIENCE_MS = 180_000;

/** Checks the image's promises to operators; yields each one that holds. Throws at one that does not. */
export async function* tryImage(built: Built, stage: Stage, { databaseUrl, devDependencies }: Surroundings): AsyncGenerator<string> {
  const words = (command: Stage["command"]) => (Array.isArray(command) ? (command as string[]) : assert.fail("a shell would be needed"));
  const user = stage.user ?? assert.fail("no user");
  const settings = {
    ...{ DATABASE_URL: databaseUrl, AUTH_SECRET: "only for this trial", BASE_URL: `http://127.0.0.1:${PORT}`, PORT: String(PORT) },
    ...{ OPERATIONS_PORT: String(OPERATIONS), LOG_LEVEL: "warn" },
  };
  const started: ChildProcess[] = [];
  const start = (command: readonly string[], more: Record<string, string> = {}) => {
    const child = startInImage(built, user, command, { ...settings, ...more });
    started.push(child);
    return child;
  };
  const entry = words(stage.entrypoint);
  const isHealthy = async () => (await endOf(start(words(stage.health!.command)))) === 0;

  try {
    assert.deepEqual(programsIn(built.root), [], "programs beside Node.js");
    yield "there is no shell, no package manager and no compiler";
    const packages = new Set(readdirSync(join(built.root, "app/node_modules")));
    assert.deepEqual(
      devDependencies.filter((name) => existsSync(join(built.root, "app", name))),
      [],
      "development packages",
    );
    assert.ok(packages.has("next"));
    yield "no development dependency is in it";
    const { components } = JSON.parse(readFileSync(join(built.root, "app/sbom.json"), "utf8")) as { components: { name: string }[] };
    const listed = new Set(components.map(({ name }) => name));
    assert.ok(["next", "postgres", "zod"].every((name) => listed.has(name)));
    yield `the SBOM lists ${components.length} packages`;
    assert.equal(await isHealthy(), false, "healthy before it runs");

    assert.equal(await endOf(start([...entry, "server/process/migrate.ts"])), 0);
    yield "the migration runs and ends";

    const web = start([...entry, ...words(stage.command)], { WORKER: "off", OWNER_PASSWORD: "correct horse battery staple" });
    await untilAnswers(`http://127.0.0.1:${PORT}/v1/openapi.json`, web, outputOf(web));
    yield "web answers";
    assert.equal((await fetch(`http://127.0.0.1:${PORT}/sign-in`)).status, 200, "the page to sign in");
    yield "pages are served from a read-only file system";
    const status = readFileSync(`/proc/${processOf(web)}/status`, "utf8");
    assert.match(status, new RegExp(`^Uid:\\s+${user.split(":")[0]}\\s`, "m"));
    assert.match(status, /^CapEff:\s+0+$/m);
    assert.match(status, /^NoNewPrivs:\s+1$/m);
    yield `it runs as ${user}, without capabilities`;
    assert.equal(await isHealthy(), true);
    yield "the health check holds while it serves";

    const worker = start([...entry, "server/process/worker.ts"], { OPERATIONS_PORT: String(OPERATIONS + 1) });
    await untilAnswers(`http://127.0.0.1:${OPERATIONS + 1}/ready`, worker, outputOf(worker));
    yield "the worker is ready";
    for (const process_ of [web, worker]) {
      process.kill(processOf(process_), "SIGTERM");
      assert.equal(await endOf(process_), 0);
    }
    yield "SIGTERM ends both with 0";
    assert.equal(await isHealthy(), false);
    yield "the health check fails afterwards";
  } finally {
    for (const child of started) child.kill("SIGKILL");
  }
}

function programsIn(root: string): string[] {
  return ["usr/bin", "usr/sbin", "usr/local/bin", "usr/local/sbin"].flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => join(folder, name)) : [],
  );
}

/** The child's output, which grows while it runs. */
function outputOf(child: ChildProcess): { text: string } {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output.text += chunk.toString()));
  return output;
}

const endOf = async (child: ChildProcess): Promise<number | null> => {
  child.stdout?.resume();
  child.stderr?.resume();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
};

async function untilAnswers(url: string, child: ChildProcess, output: { text: string }): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > deadline) assert.fail(`${url} does not answer\n${output.text}`);
    await sleep(200);
  }
}
