import { type Browser, expect } from "@playwright/test";
import { CLIENT, startProvider } from "./oidc.ts";
import { expectToFit } from "./fits.ts";
import { follow } from "./hydrated.ts";
import { keepPicture } from "./pictures.ts";
import { HASHING_QUICKLY, openPage, OWNER, type Service, signIn, test as base } from "./service.ts";
import { startService } from "../testing/service.ts";
import { choose } from "./dashboard/forms.ts";

const verified = (email: string) => ({ email, email_verified: true });

const PEOPLE = {
  ann: verified("ann@acme.example"),
  bob: { email: "bob@acme.example", email_verified: false },
  eve: verified("eve@evil.example"),
  kim: verified("Kim@partner.example"),
  "kim's successor": verified("kim@partner.example"),
};

/** A service of its own, hence a worker of its own. The name of this file puts it last, so that no further worker is needed after it. */
const test = base.extend<object, { service: Service }>({
  service: [
    async ({}, use) => {
      const provider = await startProvider(PEOPLE);
      const settings = {
        DEMO: "off",
        NODE_OPTIONS: HASHING_QUICKLY,
        POOL_WAIT_SECONDS: "60",
        OWNER_EMAIL: OWNER.email,
        OWNER_PASSWORD: OWNER.password,
        AUTH_OIDC_ISSUER: provider.issuer,
        AUTH_OIDC_ID: CLIENT.id,
        AUTH_OIDC_SECRET: CLIENT.secret,
        AUTH_OIDC_NAME: "Acme",
        AUTH_OIDC_DOMAINS: "acme.example",
      };
      const service = await startService({ pages: true, isShown: true, settings, timeoutMs: 480_000 });
      provider.serve(service.url);
      await service.cli("project", "create", "--slug", "acme", "--name", "Acme", "--language", "en", "--time-zone", "UTC");
      await service.cli("user", "create", "--email", "kim@partner.example", "--role", "Editor");
      await use(service);
      await service.stop();
      provider.stop();
    },
    { scope: "worker", timeout: 500_000 },
  ],
});

/** Signs in at the provider under that name, in a separate browser; returns the page. */
async function comeAs(browser: Browser, service: Service, name: string) {
  const page = await openPage(browser, service.url);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.locator("[name=login]").fill(name);
  await page.locator("[name=password]").fill("anything");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  return page;
}

test("an OpenID Connect provider signs in members and users of named domains, but no unverified address and no second account", async ({
  browser,
  service,
}) => {
  for (const name of ["ann", "kim", "kim"]) {
    const page = await comeAs(browser, service, name);
    await expect(page, name).toHaveURL(/\/dashboard\/acme\//);
  }
  const refused = {
    bob: "no verified email address",
    eve: "is not a member here",
    "kim's successor": "another account of the same provider",
  };
  for (const [name, words] of Object.entries(refused)) {
    const page = await comeAs(browser, service, name);
    await expect(page.getByText(words), name).toBeVisible();
    await expect(page).toHaveURL(/\/sign-in/);
  }
});

test("a sign-in that was cancelled at the provider, or has gone stale, leads back to the sign-in with the reason, and is no error in the log", async ({
  browser,
  service,
}) => {
  const page = await openPage(browser, service.url);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("The sign-in was cancelled")).toBeVisible();
  await page.goto("/api/auth/callback/oidc?code=x&state=stale");
  await expect(page.getByText("Sign-in failed. Try again, or use a password.")).toBeVisible();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await expect(page.locator("[name=login]")).toBeVisible();
  await page.goto(`${service.url}/api/auth/callback/oidc?code=x&state=of-another-attempt`);
  await expect(page.getByText("Sign-in failed. Try again, or use a password.")).toBeVisible();
  const reasons = () =>
    [...service.printed().matchAll(/"reason":"([\w ]+)","msg":"a sign-in by a provider was not completed"/g)].map(([, reason]) => reason);
  await expect.poll(reasons).toEqual(["cancelled or refused", "stale", "stale"]);
  expect(service.printed()).not.toContain("signing in by a provider failed");
});

test("a click before the page's scripts have arrived leads to the provider once they have", async ({ browser, service }) => {
  const page = await (await browser.newContext({ baseURL: service.url })).newPage();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/\/_next\/.*\.js/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  arrive();
  await expect(page.locator("[name=login]")).toBeVisible();
  await page.context().close();
});

test("after the session ended, a save continues once the user has signed in at the provider, in another window", async ({
  browser,
  service,
}) => {
  const page = await comeAs(browser, service, "kim");
  await page.waitForURL(/\/dashboard\/acme\//);
  await follow(page, "/dashboard/acme/sandbox/events/new");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Order placed");
  await page.context().clearCookies({ name: "engagement.session" });
  await page.getByRole("button", { name: "Create event" }).click();
  const opening = page.waitForEvent("popup");
  await page.getByRole("dialog", { name: "Your session ended" }).getByRole("link", { name: "Sign in" }).click();
  const popup = await opening;
  // The provider's session is still valid, so it does not ask again.
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Continue with Acme" }).click();
  await closed;
  await page.waitForURL(/\/events\/order_placed/);
});

test("an Owner sees the backlog, the processes and the database, and sets how long events are kept; an Editor does not see the installation", async ({
  browser,
  page,
  service,
}) => {
  await signIn(page);
  await follow(page, "/dashboard/acme/settings/status");
  await expect(page.getByText("Everything is working,")).toBeVisible();
  await expect(page.getByText("Processes running").locator("..")).toContainText("1");
  await keepPicture(page, "status.tiles.light");
  await page.getByText("Details", { exact: true }).click();
  await expect(page.getByRole("table", { name: "Processes" }).getByRole("row", { name: /Running.*Web and worker.*0\.1\.0/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "Connections and errors" }).getByRole("row", { name: /of 10/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "Tables" }).getByRole("row", { name: /kB/ }).nth(10)).toBeVisible();
  await keepPicture(page, "status.wide.light", { fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await keepPicture(page, "status.wide.dark", { fullPage: true });
  await page.setViewportSize({ width: 375, height: 800 });
  await expectToFit(page, 375);
  await keepPicture(page, "status.narrow.dark", { fullPage: true });
  await page.setViewportSize({ width: 1280, height: 900 });

  await follow(page, "/dashboard/acme/live/settings");
  await choose(page.getByLabel("Keep events for"), "90 days");
  await keepPicture(page, "retention.asked.dark");
  await page.getByRole("button", { name: "Save and delete" }).click();
  await expect(page.getByText("Retention saved")).toBeVisible();
  await keepPicture(page, "retention.wide.dark", { fullPage: true });
  await page.goto("/dashboard/acme/settings/status");
  await page.getByText("Details", { exact: true }).click();
  await expect(page.getByRole("row", { name: /Acme, Live.*90 days/ })).toBeVisible();

  const editor = await comeAs(browser, service, "kim");
  await editor.goto("/dashboard/acme/settings/status");
  await expect(editor.getByText("This needs the Owner role")).toBeVisible();
});
