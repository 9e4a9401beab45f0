import type { IncomingMessage, RequestListener } from "node:http";
import { randomUUID } from "node:crypto";
import type { ApiListener } from "../api/http.ts";
import type { Answers } from "./pages/served.ts";
import { ADDRESS_HEADER, clientAddress } from "../api/client-address.ts";

interface Answering {
  api: ApiListener;
  rpc: ApiListener;
  pages: Answers;
}

/** Routes a request to /rpc, to the pages, or else to the API, which also answers 404. `/` is a page for browsers only. */
export function routeRequests({ api, rpc, pages }: Answering): RequestListener {
  return (request, response) => {
    const answer = FOR_RPC.test(request.url ?? "") ? rpc : isForPages(request) ? pages.handle : api;
    answer(request, response).catch(() => response.destroy());
  };
}

const FOR_RPC = /^\/rpc([/?]|$)/;
/** Next has these routes too, for when it runs alone (app/v1, app/api/cron). Here a worker replaces the scheduler. */
const FOR_API = /^\/(v1|api\/cron)([/?]|$)/;
const FOR_PAGES =
  /^\/(_next|docs|definitions[.]schema[.]json|dashboard|sign-in|invitation|password-reset|images|icon[.]svg|docs[.]md|llms(?:-full)?[.]txt|api\/auth)([/?]|$)/;
/** The files of public/. */
export const IS_PUBLIC_FILE = /^\/(favicon[.]ico|robots[.]txt|manifest[.]webmanifest|[a-z0-9-]{1,40}[.]png)(\?|$)/;

const isForPages = ({ url = "/", headers }: IncomingMessage): boolean =>
  !FOR_API.test(url) && (FOR_PAGES.test(url) || IS_PUBLIC_FILE.test(url) || (headers.accept ?? "").includes("text/html"));

interface Clients {
  baseUrl: string;
  trustProxy: boolean;
  /** Called for each request whose forwarded address is not trusted. */
  onUntrusted(): void;
}

/**
 * Set on each request passed to Next, with a value that only this process knows. Next follows its own redirects by calling this server with
 * the first request's headers plus X-Forwarded-For. Such a request comes from no client: it keeps the address found before.
 */
const OWN_HEADER = "x-engagement-own";

/** Passes the client and its address to the pages. They see only headers, so forged ones are removed first. */
export function knowingClients(pages: Answers, { baseUrl, trustProxy, onUntrusted }: Clients): Answers {
  const own = new URL(baseUrl);
  const secret = randomUUID();
  return {
    handle(request, response) {
      const { headers, socket } = request;
      const forwardedFor = textOf(headers["x-forwarded-for"]);
      if (headers[OWN_HEADER] !== secret) {
        if (forwardedFor !== null && !trustProxy) onUntrusted();
        const address = clientAddress(socket.remoteAddress ?? null, forwardedFor, trustProxy);
        delete headers[ADDRESS_HEADER];
        if (address !== null) headers[ADDRESS_HEADER] = address;
      }
      headers[OWN_HEADER] = secret;
      delete headers["x-forwarded-for"];
      delete headers["x-forwarded-proto"];
      delete headers["x-forwarded-port"];
      // Next compares a form's Origin with the Host. A proxy may rewrite the Host, so the public address counts too.
      delete headers["x-forwarded-host"];
      if (headers.origin === own.origin) headers["x-forwarded-host"] = own.host;
      return pages.handle(request, response);
    },
  };
}

const textOf = (header: IncomingMessage["headers"][string]): string | null => (Array.isArray(header) ? header.join(",") : (header ?? null));
