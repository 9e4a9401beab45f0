import { hash, randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { hostname, platform } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { pairingCode, TOKEN_BYTES, type TokenEnvironment, writePersonalToken } from "../model/tokens/token.ts";
import { readLogins, serviceUrl, variables, withLogin, withoutLogin, writeLogins } from "./connection.ts";
import type { Cli } from "./context.ts";
import { note, styledNote } from "./output.ts";
import { explainCall, isRefusal, Remote } from "./remote.ts";

/** How often to check for approval, and for how long. */
const POLL_MS = 2_000;
const PATIENCE_MS = 10 * 60_000;

interface LoginOptions {
  url?: string;
  name: string;
  browser: boolean;
}

/** `login|logout|whoami`: logins are stored in the user's configuration folder, readable only by them. */
export function loginCommands(program: Command, cli: Cli): void {
  program
    .command("login")
    .option("--url <url>", "the address of the service; ENGAGEMENT_URL, or the last one, if left out")
    .option("--name <name>", "the token's name in the dashboard and the audit log", `engagement on ${hostname()}`)
    .option("--no-browser", "print the page's address and open nothing")
    .action(async (options: LoginOptions) => {
      const logins = readLogins();
      const named = options.url ?? (variables()["ENGAGEMENT_URL"] || null) ?? logins.current;
      if (named === null) throw new OperatorError("Say which service, with --url: engagement login --url https://engagement.example.com.");
      const url = serviceUrl(named);
      if (!isPrivate(url)) note(styledNote("yellow", `${url} is not https: others on the way can read the token.`));
      const token = writePersonalToken(randomBytes(TOKEN_BYTES));
      const { email, project, environment, role, expiresAt } = await approval(new Remote({ url, token }), token, options);
      writeLogins(withLogin(readLogins(), url, { token, email, project }));
      cli.output.data({ url, email, project, environment, role, expiresAt }, "");
      note(`${styledNote("green", "Logged in")} to ${url} as ${email}: ${boundsOf({ project, environment, role, expiresAt })}.`);
    });

  program
    .command("logout")
    .option("--url <url>", "the address of the service")
    .action(async ({ url: named }: { url?: string }) => {
      const logins = readLogins();
      const url = named === undefined ? logins.current : serviceUrl(named);
      const login = url === null ? undefined : logins.logins[url];
      if (url === null || login === undefined) throw new OperatorError("There is no login to end.");
      try {
        await endToken(new Remote({ url, token: login.token }));
      } finally {
        // Also if the service is gone for good.
        writeLogins(withoutLogin(readLogins(), url));
      }
      note(`Logged out of ${url}.`);
    });

  program.command("whoami").action(async () => {
    const who = await cli.over(async (remote) => ({ url: remote.url, ...(await remote.bounds()), role: await remote.role() }));
    const { url, email, name, project, environment, role, expiresAt } = who;
    const lines = [`${email} at ${url}`, `token "${name}": ${boundsOf({ project, environment, role, expiresAt })}`];
    cli.output.data({ url, email, name, project, environment, role, expiresAt }, lines.join("\n"));
  });
}

/** Whether the connection is private: https, or this machine. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || hostname === "localhost" || hostname.startsWith("127.") || hostname === "[::1]";
}

interface Bounds {
  project: string;
  environment: TokenEnvironment | null;
  role: string;
  expiresAt: string;
}

const boundsOf = ({ project, environment, role, expiresAt }: Bounds): string =>
  `project ${project}, ${environment === "tests" ? "test projects" : (environment ?? "both environments")}, ${role}, until ${expiresAt}`;

/**
 * Waits until a user approves the token. The page gets its SHA-256 and its last four characters; the token itself leaves this machine only
 * with the first call. Throws OperatorError.
 */
async function approval(remote: Remote, token: string, { name, browser }: LoginOptions) {
  const digest = hash("sha256", token);
  const page = `${remote.url}/dashboard/command-line?request=${digest}${token.slice(-4)}&name=${encodeURIComponent(name).replaceAll("'", "%27")}`;
  const early = await isApproved(remote, true);
  if (early !== null) return early;
  note(`Code: ${styledNote("bold", pairingCode(digest))}\n\nOpen this page, compare the code and approve:\n\n  ${page}\n`);
  if (browser) openBrowser(page);
  note("Waiting for the approval …");
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    await delay(POLL_MS);
    const bounds = await isApproved(remote, false);
    if (bounds !== null) return bounds;
  }
  throw new OperatorError("The login was not approved within ten minutes. Run it again.");
}

/** The bounds of the token; null until it is approved. An unreachable service is an error only on the first call. */
async function isApproved(remote: Remote, isFirst: boolean) {
  try {
    const { email, token } = await remote.rpc.tokens.current();
    return token && { email, ...token };
  } catch (error) {
    if (isRefusal(error) && (error.code === "UNAUTHORIZED" || error.code === "TOO_MANY_REQUESTS")) return null;
    if (isFirst) throw explainCall(error, remote.url);
    return null;
  }
}

/** Ends a token; one that is unknown to the service has already ended. */
async function endToken(remote: Remote): Promise<void> {
  try {
    await remote.rpc.tokens.end();
  } catch (error) {
    if (isRefusal(error) && error.code === "UNAUTHORIZED") return;
    note("The login is no longer kept on this machine. Its token may still be valid: revoke it in the dashboard.");
    throw explainCall(error, remote.url);
  }
}

/** Opens a page if there is a screen; otherwise the user opens it. */
function openBrowser(page: string): void {
  const { SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = variables();
  const opener = platform() === "darwin" ? "open" : (DISPLAY ?? WAYLAND_DISPLAY) ? "xdg-open" : null;
  if (opener === null || SSH_CONNECTION !== undefined || !process.stderr.isTTY) return;
  const child = spawn(opener, [page], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
