import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { variables } from "./variables.ts";

/** The token of a service that the user has logged in to. */
const login = z.object({ token: z.string(), email: z.string(), project: z.string() });
export type Login = z.output<typeof login>;

/** By service address. `current` is used when no address is given. */
const stored = z.object({ current: z.string().nullable(), logins: z.record(z.string(), login) });
export type Logins = z.output<typeof stored>;

/** Logins are stored in the user's configuration folder. */
export const credentialsFile = (env = variables()): string =>
  join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "engagement", "credentials.json");

/** The stored logins; none without a file. Throws OperatorError for an unreadable file. */
export function readLogins(file = credentialsFile()): Logins {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return { current: null, logins: {} };
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const found = stored.safeParse(parsed(text));
  if (!found.success) throw new OperatorError(`${file} is damaged. Delete it and log in again.`);
  return found.data;
}

/** Stores the logins for this user only (0600), atomically: another command may read the file meanwhile. */
export function writeLogins(logins: Logins, file = credentialsFile()): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
    // A file left by a killed command keeps its mode.
    chmodSync(next, 0o600);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

export const withLogin = ({ logins }: Logins, url: string, login: Login): Logins => ({
  current: url,
  logins: { ...logins, [url]: login },
});

export function withoutLogin({ current, logins }: Logins, url: string): Logins {
  const left = Object.fromEntries(Object.entries(logins).filter(([one]) => one !== url));
  return { current: current === url ? (Object.keys(left).at(-1) ?? null) : current, logins: left };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
