import type { Page, Route } from "@playwright/test";

/** Holds the requests to an address, or the first so many, until they are released, and counts them. */
export async function hold(page: Page, url: string | RegExp, times?: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: string[] = [];
  const later = async (route: Route) => {
    held.push(route.request().url());
    await released;
    await route.continue();
  };
  await page.route(url, later, { times });
  return { held, release };
}
