import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Logins } from "./credentials.ts";

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
  const token = flags.token ?? (env["ENGAGEMENT_TOKEN"] || undefined) ?? logins?.logins[url]?.token;
  if (token === undefined)
    throw new OperatorError(
      `A token for ${url} is needed: run "engagement login --url ${url}", or give one with --token or ENGAGEMENT_TOKEN.`,
    );
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
