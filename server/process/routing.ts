import type { IncomingMessage, RequestListener } from "node:http";
import type { ApiListener } from "../api/http.ts";
import type { Answers } from "./pages/served.ts";

interface Answering {
  api: ApiListener;
  rpc: ApiListener;
  pages: Answers;
}

/** Routes pages to people and everything else to the API, which also answers 404. `/` is a page for browsers only. */
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
