import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { OperatorError } from "../model/kernel/operator-error.ts";

/**
 * The environment variables of the person at the terminal: ENGAGEMENT_URL, ENGAGEMENT_TOKEN and ENGAGEMENT_PROJECT, and those that say
 * where they keep settings and whether they have a screen. They are read when a command runs. The service's own are in
 * server/process/settings.ts.
 */
// oxlint-disable-next-line house/settings-alone
export const variables = (): NodeJS.ProcessEnv => process.env;

/** A service to call, and the token to use. */
export interface Connection {
  /** Without a trailing slash. */
  url: string;
  token: string;
}

export interface ConnectionFlags {
  url?: string;
  token?: string;
}

/**
 * The service of a command: from --url, ENGAGEMENT_URL or the last login, in this order; null if none is given. The token is --token,
 * ENGAGEMENT_TOKEN or that of the login to this service. `logins` is null if logins do not apply. Throws OperatorError.
 */
export function connectionOf(flags: ConnectionFlags, env: NodeJS.ProcessEnv, logins: Logins | null): Connection | null {
  const named = flags.url ?? (env["ENGAGEMENT_URL"] || undefined) ?? logins?.current ?? null;
  if (named === null) {
    if (flags.token !== undefined) throw new OperatorError("Say which service the token is for, with --url or ENGAGEMENT_URL.");
    return null;
  }
  const url = serviceUrl(named);
  const token = (flags.token ?? (env["ENGAGEMENT_TOKEN"] || undefined) ?? logins?.logins[url]?.token)?.trim();
  if (token === undefined)
    throw new OperatorError(
      `A token for ${url} is needed: run "engagement login --url ${url}", or give one with --token or ENGAGEMENT_TOKEN.`,
    );
  // No header could carry it; the error of fetch would print it.
  if (/[^\x21-\x7e]/.test(token)) throw new OperatorError("The token is not complete: give all of it, svc_pat_ and 64 hex digits.");
  return { url, token };
}

/** A service's address in the form used for calls and storage. Throws OperatorError. */
export function serviceUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new OperatorError(`"${text}" is not the address of a service: give one such as https://engagement.example.com.`);
  let address = `${url.origin}${url.pathname}`;
  while (address.endsWith("/")) address = address.slice(0, -1);
  return address;
}

/** The token of a service that the user has logged in to. */
const login = z.object({ token: z.string(), email: z.string(), project: z.string() });
export type Login = z.output<typeof login>;

/** By service address. `current` is used when no address is given. */
const stored = z.object({ current: z.string().nullable(), logins: z.record(z.string(), login) });
export type Logins = z.output<typeof stored>;

/** Logins are stored in the user's configuration folder. */
const credentialsFile = (): string => join(variables()["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "engagement", "credentials.json");

/** The stored logins; none without a file. Throws OperatorError for an unreadable file. */
export function readLogins(): Logins {
  const file = credentialsFile();
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

/** Stores the logins for this user only (0600), atomically: another command may read the file meanwhile. Throws OperatorError. */
export function writeLogins(logins: Logins): void {
  const file = credentialsFile();
  const next = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
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
