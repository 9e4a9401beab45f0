import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { baseImage } from "./base-images.ts";
import type { Command, Stage, Step } from "./dockerfile.ts";

/** A built stage: its files, and the folder and environment in which its processes start. */
export interface Built {
  root: string;
  isOnHost: boolean;
  folder: string;
  environment: Record<string, string>;
}

interface BuildOptions {
  /** The build context. */
  context: string;
  isIgnored(path: string): boolean;
  /** The folder for the roots of the stages. */
  work: string;
  /** Called for each step. */
  onStep(text: string): void;
}

/** The PATH of an image that does not set it. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Runs the steps of all stages, each in its own namespaces and root, and returns the last. Needs root. Throws with a step's output. */
export function buildStages(stages: readonly Stage[], options: BuildOptions): Built {
  const built = new Map<string, Built>();
  let last: Built | undefined;
  for (const [index, stage] of stages.entries()) {
    const base = baseImage(stage.base);
    const root = join(options.work, `stage-${index}`);
    mkdirSync(root, { recursive: true });
    options.onStep(`FROM ${stage.base}`);
    base.fill(root);
    last = { root, isOnHost: base.isOnHost, folder: "/", environment: { PATH, HOME: "/root" } };
    for (const step of stage.steps) {
      options.onStep(wordsOf(step));
      perform(last, step, built, options);
    }
    if (stage.name !== null) built.set(stage.name, last);
  }
  if (last === undefined) throw new Error("there is no stage");
  return last;
}

function perform(stage: Built, step: Step, built: ReadonlyMap<string, Built>, { context, isIgnored }: BuildOptions): void {
  switch (step.kind) {
    case "workdir":
      stage.folder = resolve(stage.folder, step.path);
      return void mkdirSync(inRoot(stage, stage.folder), { recursive: true });
    case "env":
      return void Object.assign(stage.environment, step.values);
    case "copy": {
      const other = step.from === null ? null : built.get(step.from);
      if (other === undefined) throw new Error(`there is no stage ${step.from}`);
      const target = inRoot(stage, resolve(stage.folder, step.target));
      for (const source of step.sources)
        if (other === null) copy(resolve(context, source), target, (path) => !isIgnored(relative(context, path)));
        else copy(inRoot(other, source), target, () => true);
      return;
    }
    case "run": {
      const { status, stdout, stderr } = spawnSync("unshare", inNamespaces(stage, step.command), {
        env: hostSettings(),
        encoding: "utf8",
        maxBuffer: 1 << 26,
      });
      if (status !== 0) throw new Error(`${wordsOf(step)}: exit ${status}\n${stdout}\n${stderr}`);
    }
  }
}

/** Copies a folder's content into the target, or a file under its name. */
function copy(source: string, target: string, isWanted: (path: string) => boolean): void {
  const isFolder = lstatSync(source).isDirectory();
  const to = isFolder ? target : join(target, source.slice(source.lastIndexOf("/") + 1));
  cpSync(source, to, { recursive: true, verbatimSymlinks: true, filter: (path) => path === source || isWanted(path) });
}

const inRoot = ({ root }: Built, path: string): string => join(root, isAbsolute(path) ? path.slice(1) : path);

/** Arguments of unshare for a build step: the stage's files over this machine's, separate processes and mounts, this machine's network. */
function inNamespaces(stage: Built, command: Command): string[] {
  if (!stage.isOnHost) throw new Error("a stage without a shell has no steps to run");
  const words = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const script = `set -e
    mkdir -p "$1.over" "$1.work"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$1,workdir=$1.work" "$1.over"
    mount -t proc proc "$1.over/proc"; mount --rbind /dev "$1.over/dev"; mount -t tmpfs tmpfs "$1.over/tmp"
    root="$1.over"; folder="$2"; shift 2
    exec chroot "$root" /usr/bin/env --chdir "$folder" "$@"`;
  const environment = Object.entries(stage.environment).map(([name, value]) => `${name}=${value}`);
  return ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", stage.root, stage.folder, ...environment, ...words];
}

/** Host settings passed to a build: the registry and proxies, as container runtimes pass them. */
const hostSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_registry|(https?|no)_proxy)$/i.test(name)),
  ) as NodeJS.ProcessEnv;

/**
 * Starts a process as the image's user and PID 1, with a read-only root file system, /tmp in memory, and no capabilities or way to gain
 * any. Signals to the returned process do not reach it: send them to `processOf`.
 */
export function startInImage(
  { root, folder, environment }: Built,
  user: string,
  command: readonly string[],
  settings: Record<string, string>,
): ChildProcess {
  const script = `set -e
    mkdir -p "$1.ro"
    mount --bind "$1" "$1.ro"; mount -o remount,bind,ro "$1.ro"
    mount -t proc proc "$1.ro/proc"; mount --bind /dev "$1.ro/dev"; mount -t tmpfs -o mode=1777 tmpfs "$1.ro/tmp"
    shift
    exec setpriv --no-new-privs env --ignore-environment "$@"`;
  const [name = "", ...of] = command;
  const [uid = "", group = uid] = user.split(":");
  const variables = Object.entries({ ...environment, ...settings, HOME: "/home/nonroot" }).map(([key, value]) => `${key}=${value}`);
  const enter = [UNSHARE, "--root", `${root}.ro`, "--wd", folder, "--setuid", uid, "--setgid", group, "--"];
  const inside = [...variables, ...enter, programOf(root, environment, name), ...of];
  const args = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", root, ...inside];
  return spawn("unshare", args, { stdio: ["ignore", "pipe", "pipe"] });
}

const UNSHARE = "/usr/bin/unshare";

/** The process in the image that this one started. */
export function processOf({ pid }: ChildProcess): number {
  return Number(execFileSync("cat", [`/proc/${pid}/task/${pid}/children`], { encoding: "utf8" }).trim());
}

function programOf(root: string, { PATH: path = PATH }: Record<string, string>, name: string): string {
  const folder = path.split(":").find((one) => lstatSync(join(root, one, name), { throwIfNoEntry: false }) !== undefined);
  if (folder === undefined) throw new Error(`${name} is not in the image`);
  return join(folder, name);
}

export const wordsOf = (step: Step): string =>
  step.kind === "run"
    ? `RUN ${typeof step.command === "string" ? step.command : step.command.join(" ")}`
    : `${step.kind.toUpperCase()} ${
        step.kind === "copy"
          ? `${step.from === null ? "" : `--from=${step.from} `}${step.sources.join(" ")} ${step.target}`
          : step.kind === "workdir"
            ? step.path
            : Object.keys(step.values).join(" ")
      }`;
