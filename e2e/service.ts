import { type Browser, type Page, test as base, type TestInfo } from "@playwright/test";
import { removeAbandoned } from "../db/embedded/abandoned.ts";
import { DATA_FOLDER, type OwnService, startService } from "../testing/service.ts";
import { endInterceptions } from "./dashboard/intercept.ts";
import { hydrated } from "./hydrated.ts";

/** The service as `npm start` runs it, with a database of its own; its output has the owner's sign-in and the Sandbox key. */
export type Service = OwnService;

/** A first start builds the pages. */
const PATIENCE_MS = 480_000;

/** The user who signs in to it. */
export const OWNER = { email: "owner@example.com", password: "correct horse battery staple" };

/** `NODE_OPTIONS` of a service in which people sign in. */
export const HASHING_QUICKLY = `${process.env["NODE_OPTIONS"] ?? ""} --import ${import.meta.resolve("../server/api/testing/quick-hashing.ts")}`;

/** Signs in through the form, and waits for the dashboard. */
export async function signIn(page: Page, { email, password } = OWNER): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard\//);
}

type State = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

const SCREEN = { viewport: { width: 1280, height: 720 } };

// Playwright looks each line of a stack up in source maps, several times a step. Where Node strips the types there are none.
if (process.env["PW_DISABLE_TS_ESM"] !== undefined) Reflect.deleteProperty(Error, "prepareStackTrace");

/** The pages of the running test. */
const open = new Set<Page>();

/** Pages that earlier tests have left. A new one has to fetch and compile all scripts anew: a third of a test's CPU seconds. */
const left: Page[] = [];

/** A page in a browser of its own, signed out, until the test ends. */
export async function openPage(browser: Browser, baseURL: string): Promise<Page> {
  // Without a state of its own, a new context takes the test's: the owner's session.
  const options = { baseURL, ...SCREEN, reducedMotion: "reduce", storageState: undefined } as const;
  const page = left.pop() ?? hydrated(await (await browser.newContext(options)).newPage());
  open.add(page);
  return page;
}

/** The events of a page that a test may listen to; its listeners are removed after it. */
const EVENTS = ["console", "dialog", "pageerror", "request", "requestfailed", "response"];

/** Resets a page for the next test. A failed test leaves nothing to reset: Playwright starts a new worker after it. */
async function leave(page: Page, origin: string): Promise<void> {
  const context = page.context();
  for (const event of EVENTS) page.removeAllListeners(event);
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  // Loading a page of the service for its storage would cost more than the rest. The service uses no sessionStorage.
  await page.goto("about:blank");
  await page.unrouteAll();
  await endInterceptions(page);
  const devTools = await context.newCDPSession(page);
  await devTools.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage" });
  await devTools.detach();
  await context.clearCookies();
  await context.clearPermissions();
  await page.setViewportSize(SCREEN.viewport);
  await page.emulateMedia({ colorScheme: null });
  await page.mouse.move(0, 0);
  open.delete(page);
  left.push(page);
}

/** What a failed test's pages show, for its entry among the failures (scripts/test.mjs). */
async function keepText(info: TestInfo): Promise<void> {
  for (const page of open) {
    const text = await page.locator("body").ariaSnapshot({ timeout: 5_000 });
    await info.attach("page", { body: `${page.url()}\n${text}`, contentType: "text/plain" });
  }
}

/**
 * Browser tests against a real service, one per worker. A file with other worker fixtures than these makes Playwright start a new worker,
 * with a service of its own, so both are defined here.
 */
export const test = base.extend<{ pages: void }, { service: Service; ownerState: State }>({
  service: [
    async ({}, use) => {
      // The demo's longer history keeps the worker busy for half a minute, and no test needs it.
      // On a busy machine a connection may take long; no test depends on speed.
      const settings = {
        ...{ OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password, DEMO: "short", POOL_WAIT_SECONDS: "60" },
        NODE_OPTIONS: HASHING_QUICKLY,
        // A thread loads the whole service once more. The service of with-a-provider.spec.ts has one.
        WORKER_THREADS: "0",
      };
      removeAbandoned(DATA_FOLDER);
      const service = await startService({ pages: true, isShown: true, settings, timeoutMs: PATIENCE_MS });
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: PATIENCE_MS + 20_000 },
  ],
  /** The owner's session; the form is filled in once for all tests of a worker that ask for it. */
  ownerState: [
    async ({ browser, service }, use) => {
      const page = await openPage(browser, service.url);
      await signIn(page);
      const state = await page.context().storageState();
      await leave(page, service.url);
      await use(state);
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: ({ service }, use) => use(service.url),
  /** Leaves all pages that a test has opened. */
  pages: [
    async ({ service }, use, info) => {
      await use();
      if (info.status !== info.expectedStatus) await keepText(info).catch(() => {});
      await Promise.all([...open].map((page) => leave(page, service.url)));
    },
    { auto: true },
  ],
  context: ({ page }, use) => use(page.context()),
  page: async ({ browser, service }, use) => use(await openPage(browser, service.url)),
});
