import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The parts of a response that a program printed; curl prints the headers too. */
export interface Printed {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

interface Runtime {
  /** A command that fails if the runtime is not installed. */
  probe: readonly [command: string, ...args: string[]];
  command: readonly [command: string, ...args: string[]];
  /** The name that the program is saved under, where the language asks for a file. */
  file?: string;
}

/** By the name of the language. Each runs the code exactly as it is shown. */
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  curl: { probe: ["curl", "--version"], command: ["sh"] },
  TypeScript: { probe: [process.execPath, "--version"], command: [process.execPath, "--input-type=module-typescript", "-"] },
  Python: { probe: ["python3", "--version"], command: ["python3", "-"] },
  Go: { probe: ["go", "version"], command: ["go", "run"], file: "main.go" },
  Java: {
    probe: ["java", "--version"],
    command: ["java", "-Dfile.encoding=UTF-8", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
    file: "Request.java",
  },
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

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const SCENARIOS = "server/operations/demo/scenarios";
const MARK = "——— all of it has run ———";
const END = "END_OF_PROGRAM";

/**
 * A reader's shell, in which the documentation's commands are typed block after block. It starts with no settings; those that one block
 * exports remain for the next. Its folder has nothing of the checkout but the demo's scenarios. `npm run --silent cli` sends its folder and
 * arguments to an address, which answers with what the command prints, and with an error status if it fails.
 */
export class Shell {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #folder = mkdtempSync(join(tmpdir(), "docs-shell-"));
  readonly #exit: Promise<unknown>;
  #out = "";
  #errors = "";

  constructor(commandLine: string) {
    const { KEY: _, ...env } = process.env;
    cpSync(join(CHECKOUT, SCENARIOS), join(this.#folder, SCENARIOS), { recursive: true });
    this.#child = spawn("sh", ["-e"], { cwd: this.#folder, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#exit = once(this.#child, "close");
    this.#child.stdout.on("data", (chunk: Buffer) => (this.#out += chunk.toString("latin1")));
    this.#child.stderr.on("data", (chunk: Buffer) => (this.#errors += chunk.toString()));
    // A shell that has ended takes nothing more.
    this.#child.stdin.on("error", () => {});
    const cli = `printf '%s\\0' "$PWD" "$@" | command curl -sS --fail-with-body --data-binary @- '${commandLine}'`;
    this.#child.stdin.write(
      `npm() { test "$1 $2 $3 $4" = "run --silent cli --" && shift 4 && ${cli}; }\ncurl() { command curl -sSi "$@"; }\n`,
    );
  }

  /** Runs lines; returns their output. Throws it if one of them fails, which ends the shell. */
  async type(lines: string): Promise<string> {
    [this.#out, this.#errors] = ["", ""];
    this.#child.stdin.write(`${lines}\nprintf '\\n%s\\n' '${MARK}'\n`);
    const mark = Buffer.from(`\n${MARK}\n`).toString("latin1");
    while (!this.#out.endsWith(mark))
      if ((await Promise.race([once(this.#child.stdout, "data"), this.#exit.then(() => null)])) === null)
        throw new Error(`${lines}\n${this.#out}${this.#errors}`);
    return Buffer.from(this.#out.slice(0, -mark.length), "latin1").toString();
  }

  /** Runs a program in this shell as it is shown. */
  async request(language: string, code: string): Promise<Printed> {
    if (language === "curl") return withHead(await this.type(code));
    const { command, file } = RUNTIMES[language]!;
    const words = command.map((word) => `'${word}'`).join(" ");
    if (file === undefined) return plain(await this.type(`${words} <<'${END}'\n${code}\n${END}`));
    await writeFile(join(this.#folder, file), code);
    return plain(await this.type(`(cd '${this.#folder}' && ${words} '${file}')`));
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#exit;
    rmSync(this.#folder, { recursive: true, force: true });
  }
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
