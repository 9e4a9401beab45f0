import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** What a program printed of an answer; curl prints its headers too. */
export interface Printed {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

interface Runtime {
  /** This fails where there is no such runtime. */
  probe: readonly [command: string, ...args: string[]];
  command: readonly [command: string, ...args: string[]];
  /** The name that the program is saved under, where the language asks for a file. */
  file?: string;
}

/** By the name of the language. Each runs what is shown as it stands. */
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  curl: { probe: ["curl", "--version"], command: ["sh"] },
  TypeScript: { probe: [process.execPath, "--version"], command: [process.execPath, "--input-type=module-typescript", "-"] },
  Python: { probe: ["python3", "--version"], command: ["python3", "-"] },
  Go: { probe: ["go", "version"], command: ["go", "run"], file: "main.go" },
  Java: { probe: ["java", "--version"], command: ["java", "-Dfile.encoding=UTF-8"], file: "Request.java" },
  // A file alone is a program from .NET 10 on.
  "C#": { probe: ["dotnet", "run", "--file", "--help"], command: ["dotnet", "run"], file: "Program.cs" },
  PHP: { probe: ["php", "-r", "curl_version();"], command: ["php"] },
  Ruby: { probe: ["ruby", "--version"], command: ["ruby", "-"] },
};

/** Whether this machine can run programs of a language. */
export function isHere(language: string): boolean {
  const [command, ...args] = RUNTIMES[language]!.probe;
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Runs a program as it is shown. */
export async function runShown(language: string, code: string, key: string): Promise<Printed> {
  const { command, file } = RUNTIMES[language]!;
  if (language === "curl") return withHead(await run(command, `curl() { command curl -sSi "$@"; }\n${code}\n`, { key }));
  if (file === undefined) return plain(await run(command, code, { key }));
  const folder = await mkdtemp(join(tmpdir(), "docs-request-"));
  try {
    await writeFile(join(folder, file), code);
    return plain(await run([...command, file], "", { key, folder }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What lines of a shell print; `npm run --silent cli` is the command line of this checkout, without npm's own second. */
export function runLines(lines: string, environment: Record<string, string>): Promise<string> {
  const npm = 'npm() { test "$1 $2 $3 $4" = "run --silent cli --" && shift 4 && "$NODE" server/cli/main.ts "$@"; }';
  return run(["sh", "-e"], `${npm}\n${lines}\n`, { environment: { ...environment, NODE: process.execPath } });
}

interface Around {
  key?: string;
  folder?: string;
  environment?: Record<string, string>;
}

/** A program's output. One that fails says why. */
async function run([name, ...args]: Runtime["command"], input: string, { key = "", folder, environment }: Around): Promise<string> {
  const env = { ...process.env, ...environment, KEY: key };
  const child = spawn(name, args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.stdin.end(input);
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await exit) !== 0) throw new Error(`${input}\n${errors}`);
  return out;
}

/** "200 {…}", as the programs print it. */
function plain(out: string): Printed {
  const [, status, body = ""] = /^(\d{3}) ?([^]*?)\n?$/.exec(out) ?? [];
  return { status: Number(status), text: body };
}

function withHead(out: string): Printed {
  const end = out.indexOf("\r\n\r\n");
  const [first = "", ...lines] = out.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => line.split(/: (.*)/, 2)).map(([name = "", value = ""]) => [name.toLowerCase(), value]),
  );
  return { status: Number(first.split(" ")[1]), text: out.slice(end + 4), headers };
}
