import type { Page, Route } from "@playwright/test";

/**
 * Handles the requests to an address, or the first so many, until the returned function is called; later ones go on to the service. The
 * route stays, which Playwright's `unroute` and `times` do not allow: Chromium can leave a request that begins while interception is turned
 * off without an answer forever (microsoft/playwright#41802).
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  handle: (route: Route) => unknown,
  times = Infinity,
): Promise<() => void> {
  let left = times;
  await page.route(url, async (route) => {
    if (left-- > 0) await handle(route);
    else await route.fallback();
  });
  return () => {
    left = 0;
  };
}

/** Refuses the requests to a procedure, or the first so many, until the returned function is called. A screen does not try it again by itself. */
export const refuse = (page: Page, procedure: string, times?: number) => {
  const refusal = { defined: false, code: "BAD_REQUEST", status: 400, message: "Not now." };
  return intercept(page, `**/rpc/${procedure}`, (route) => route.fulfill({ status: 400, json: { json: refusal } }), times);
};

/** Fails the next request to a procedure as a lost connection does. */
export const failNext = (page: Page, procedure: string) => intercept(page, `**/rpc/${procedure}`, (route) => route.abort(), 1);

/** Holds the requests to an address, or the first so many, until they are released, and counts them. */
export async function hold(page: Page, url: string | RegExp, times?: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: string[] = [];
  const later = async (route: Route) => {
    held.push(route.request().url());
    await released;
    await route.continue();
  };
  await intercept(page, url, later, times);
  return { held, release };
}
