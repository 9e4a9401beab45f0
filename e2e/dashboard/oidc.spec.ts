import { type Browser, expect } from "@playwright/test";
import { CLIENT, startProvider } from "../oidc.ts";
import { OWNER, type Service, test as base } from "../service.ts";
import { startService } from "../../testing/service.ts";

const verified = (email: string) => ({ email, email_verified: true });

const PEOPLE = {
  ann: verified("ann@acme.example"),
  bob: { email: "bob@acme.example", email_verified: false },
  eve: verified("eve@evil.example"),
  kim: verified("Kim@partner.example"),
  "kim's successor": verified("kim@partner.example"),
};

const test = base.extend<object, { service: Service }>({
  service: [
    async ({}, use) => {
      const provider = await startProvider(PEOPLE);
      const settings = {
        DEMO: "off",
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

/** Signs in at the provider under that name, in a browser of its own. */
async function comeAs(browser: Browser, service: Service, name: string) {
  const page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.locator("[name=login]").fill(name);
  await page.locator("[name=password]").fill("anything");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  return page;
}

test("an OpenID Connect provider lets in members and people of named domains by a verified address, and no other account by the same", async ({
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
