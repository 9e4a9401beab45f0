import type { Page } from "@playwright/test";
import { OWNER, test as base } from "../service.ts";

/** Signs in through the form, and waits for the dashboard. */
export async function signIn(page: Page, { email, password } = OWNER): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard\//);
}

type State = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

/** Tests whose page is signed in as the first owner; the form is filled in once for all tests of a worker. */
export const test = base.extend<object, { ownerState: State }>({
  ownerState: [
    async ({ browser, service }, use) => {
      const context = await browser.newContext({ baseURL: service.url });
      const page = await context.newPage();
      await signIn(page);
      await use(await context.storageState());
      await context.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  storageState: ({ ownerState }, use) => use(ownerState),
});
