import { type Page, test as base } from "@playwright/test";
import { type OwnService, startService } from "../testing/service.ts";
import { hydrated } from "./hydrated.ts";

/** The service as `npm start` runs it, with a database of its own; in what it printed are the owner's sign-in and the Sandbox key. */
export type Service = OwnService;

/** A first start builds the pages. */
const PATIENCE_MS = 480_000;

/** The user who signs in to it. */
export const OWNER = { email: "owner@example.com", password: "correct horse battery staple" };

/** Signs in through the form, and waits for the dashboard. */
export async function signIn(page: Page, { email, password } = OWNER): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard\//);
}

type State = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

/**
 * Browser tests against a really started service; one per worker. Both worker fixtures are here: files whose workers have other fixtures
 * start a new worker, with a service of its own.
 */
export const test = base.extend<object, { service: Service; ownerState: State }>({
  service: [
    async ({}, use) => {
      // The longer history keeps the worker busy for half a minute, and no test looks at it.
      // A busy machine may take long to connect: nothing is judged by its speed.
      const settings = { OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password, DEMO: "short", POOL_WAIT_SECONDS: "60" };
      const service = await startService({ pages: true, isShown: true, settings, timeoutMs: PATIENCE_MS });
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: PATIENCE_MS + 20_000 },
  ],
  /** The owner's session; the form is filled in once for all tests of a worker that ask for it. */
  ownerState: [
    async ({ browser, service }, use) => {
      const context = await browser.newContext({ baseURL: service.url });
      const page = hydrated(await context.newPage());
      await signIn(page);
      await use(await context.storageState());
      await context.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: ({ service }, use) => use(service.url),
  page: ({ page }, use) => use(hydrated(page)),
});
