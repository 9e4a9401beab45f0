import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { chownSync, lstatSync, readdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { refusal } from "./binaries.ts";

/** A way to run PostgreSQL's programs, which refuse to run as root. */
export interface Launch {
  /** The command line before the program. It ends in exec, so that the process id is the program's. */
  prefix: readonly string[];
  user?: { uid: number; gid: number };
  /** The owner that the files need, by its id outside a user namespace; null: the present user. */
  owner: { uid: number; gid: number } | null;
}

const NOBODY = { uid: 65534, gid: 65534 };

/** A user namespace of its own: file access is still ours, so that a checkout under a private home folder stays reachable. */
const NAMESPACE = ["unshare", "-U", `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`, "--"];

/** As root, in order of preference. */
export const AS_ROOT: readonly Launch[] = [
  { prefix: NAMESPACE, owner: { uid: 0, gid: 0 } },
  // If namespaces are forbidden, as in most containers: the user `nobody`, with the one capability that bypasses folder permissions.
  {
    prefix: [
      "setpriv",
      `--reuid=${NOBODY.uid}`,
      `--regid=${NOBODY.gid}`,
      "--clear-groups",
      "--inh-caps=+dac_override",
      "--ambient-caps=+dac_override",
      "--",
    ],
    owner: NOBODY,
  },
  { prefix: [], user: NOBODY, owner: NOBODY },
];

/** As another user id: directly, or under a borrowed name, since PostgreSQL requires a named user. */
const AS_OURSELVES: readonly Launch[] = hasName() ? [{ prefix: [], owner: null }] : [{ prefix: NAMESPACE, owner: null }];

/** The first way in which the program runs here. Throws OperatorError if there is none. */
export function chooseLaunch(program: string, candidates = process.getuid?.() === 0 ? AS_ROOT : AS_OURSELVES): Launch {
  const works = candidates.find((launch) => {
    const [command, args] = commandLine(launch, program, ["--version"]);
    return spawnSync(command, args, { stdio: "ignore", ...launch.user }).status === 0;
  });
  if (works) return works;
  throw refusal("PostgreSQL runs neither as root nor as a user without a name, and no other user can be used here");
}

/** Containers are often run under a user id that no user has. */
function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

export function launchProgram(launch: Launch, program: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  const [command, rest] = commandLine(launch, program, args);
  // A separate session: Ctrl-C in the terminal must reach us first, so that requests in flight still find their database.
  return spawn(command, rest, { stdio, detached: true, cwd: "/", ...launch.user });
}

/** Gives the files the owner that a launch needs; does nothing if they have it. */
export function handOver(launch: Launch, directory: string): void {
  if (!launch.owner || statSync(directory).uid === launch.owner.uid) return;
  for (const entry of [".", ...readdirSync(directory, { recursive: true, encoding: "utf8" })]) {
    const path = join(directory, entry);
    if (!lstatSync(path).isSymbolicLink()) chownSync(path, launch.owner.uid, launch.owner.gid);
  }
}

function commandLine({ prefix }: Launch, program: string, args: readonly string[]): [string, string[]] {
  const [command, ...rest] = [...prefix, program, ...args];
  return [command as string, rest];
}
