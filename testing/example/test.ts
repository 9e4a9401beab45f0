// In a project of your own: from "@engagement-service/cli/testing/playwright".
import { test as base } from "../playwright.ts";
import { type Shop, startShop } from "./shop.ts";

export { expect } from "../playwright.ts";

/** Tests of the shop: each worker has a project of its own, and a shop that uses it. */
export const test = base.extend<object, { shop: Shop }>({
  shop: [
    async ({ engagement }, use) => {
      const shop = await startShop({ url: engagement.url, key: engagement.key });
      await use(shop);
      await shop.close();
    },
    { scope: "worker" },
  ],
  baseURL: ({ shop }, use) => use(shop.url),
});
