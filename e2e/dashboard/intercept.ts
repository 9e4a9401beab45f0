import type { CDPSession, Page } from "@playwright/test";

/** A request that waits for the test to handle it. */
interface Intercepted {
  url: string;
  /** Its JSON body, which has to be short: Chromium does not show a long one. */
  body(): unknown;
  continue(): Promise<void>;
  /** Fails it as a lost connection does. */
  abort(): Promise<void>;
  fulfill(status: number, json: unknown): Promise<void>;
}

type Handler = (request: Intercepted) => unknown;

interface Interception {
  session: CDPSession;
  /** Each returns the handler of an address; false if it handles another address, or no more requests. */
  handlers: ((url: string) => Handler | false)[];
}

const interceptions = new WeakMap<Page, Promise<Interception>>();

/** Documents, and what scripts fetch. Scripts and images are left out: Chromium may answer them from memory, which is not seen here. */
const PATTERNS = [{ resourceType: "Document" }, { resourceType: "XHR" }] as const;

/**
 * Handles a page's requests for documents and data at an address, or the first so many, until the returned function is called; later ones
 * go on to the service. Playwright's `route` switches the browser's cache off: all scripts are then fetched and compiled anew, and once
 * more for the next page, a CPU second each. A page with such a route sends its requests there, and none here. The interception lasts until
 * the test has left the page: Chromium can leave a request that begins while interception is turned off without an answer forever
 * (microsoft/playwright#41802).
 */
export async function intercept(page: Page, url: string | RegExp, handle: Handler, times = Infinity): Promise<() => void> {
  const { handlers } = await (interceptions.get(page) ?? start(page));
  const wanted = typeof url === "string" ? new RegExp(`^${url.split("**").map(RegExp.escape).join(".*")}$`) : url;
  let left = times;
  handlers.unshift((requested) => left > 0 && wanted.test(requested) && left-- > 0 && handle);
  return () => {
    left = 0;
  };
}

function start(page: Page): Promise<Interception> {
  const started = open(page);
  interceptions.set(page, started);
  return started;
}

async function open(page: Page): Promise<Interception> {
  const session = await page.context().newCDPSession(page);
  const interception: Interception = { session, handlers: [] };
  session.on("Fetch.requestPaused", ({ requestId, request: { url, postData } }) => {
    // A request whose page has gone meanwhile takes no answer.
    const answered = (answer: Promise<unknown>) => answer.then(() => {}).catch(() => {});
    const request: Intercepted = {
      url,
      body: () => JSON.parse(postData!),
      continue: () => answered(session.send("Fetch.continueRequest", { requestId })),
      abort: () => answered(session.send("Fetch.failRequest", { requestId, errorReason: "Failed" })),
      fulfill: (status, json) =>
        answered(
          session.send("Fetch.fulfillRequest", {
            ...{ requestId, responseCode: status, responseHeaders: [{ name: "content-type", value: "application/json" }] },
            body: Buffer.from(JSON.stringify(json)).toString("base64"),
          }),
        ),
    };
    for (const handlerOf of interception.handlers) {
      const handle = handlerOf(url);
      if (handle) return void handle(request);
    }
    void request.continue();
  });
  await session.send("Fetch.enable", { patterns: [...PATTERNS] });
  // An open page learns of it later: until then its requests are sent to the service. So one is made until it arrives here.
  let isSeen = !page.url().startsWith("http");
  interception.handlers.push((url) => url.endsWith("?intercepted") && ((request) => ((isSeen = true), request.fulfill(200, {}))));
  while (!isSeen) await page.evaluate(() => fetch("/robots.txt?intercepted").then(() => {}));
  return interception;
}

/** Ends the interceptions of a page that shows nothing of the service anymore. */
export async function endInterceptions(page: Page): Promise<void> {
  await (await interceptions.get(page))?.session.detach();
  interceptions.delete(page);
}

/** Refuses the requests to a procedure, or the first so many, until the returned function is called. A screen does not try it again by itself. */
export const refuse = (page: Page, procedure: string, times?: number) => {
  const refusal = { defined: false, code: "BAD_REQUEST", status: 400, message: "Not now." };
  return intercept(page, `**/rpc/${procedure}`, (request) => request.fulfill(400, { json: refusal }), times);
};

/** Fails the next request to a procedure as a lost connection does. */
export const failNext = (page: Page, procedure: string) => intercept(page, `**/rpc/${procedure}`, (request) => request.abort(), 1);

/** Holds the requests to an address, or the first so many, until they are released, and counts them. */
export async function hold(page: Page, url: string | RegExp, times?: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: string[] = [];
  const later = async (request: Intercepted) => {
    held.push(request.url);
    await released;
    await request.continue();
  };
  await intercept(page, url, later, times);
  return { held, release };
}
