import { readdirSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { memberOf, NAME, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

/** Every page of a project, from the route folders, in the project with that slug. */
function pagesOf(project: string): string[] {
  const parts: Record<string, string> = {
    "[project]": project,
    "[environment]": "sandbox",
    // One kind is enough: all share a route, which checks the project first.
    "[kind]": "events",
    "[key]": "order_placed",
    "[externalId]": "ann",
    "[id]": "00000000-0000-4000-8000-000000000000",
    "[...rest]": "no/such/page",
  };
  return readdirSync("app/dashboard/[project]", { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)page[.]tsx$/.test(path))
    .map((path) =>
      `[project]/${path}`
        .split("/")
        .slice(0, -1)
        .map((part) => parts[part] ?? part),
    ) // oxfmt-ignore
    .map((path) => `/dashboard/${path.join("/")}`);
}

async function answered(page: Page, path: string) {
  const answer = await page.request.get(path, { maxRedirects: 0 });
  return { status: answer.status(), text: await answer.text() };
}

test("the pages of a project of other members are not found, like those of an unknown one", async ({ page, browser }) => {
  test.slow();
  const [theirs, mine] = [await ownProject(page), await ownProject(page)];
  const stranger = await memberOf(browser, page, mine.slug, "Owner");
  const found = await answered(stranger, mine.at(""));
  expect(found.status).toBe(200);
  expect(found.text).toContain(NAME);
  const paths = pagesOf(theirs.slug);
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    const { status, text } = await answered(stranger, path);
    // The project's own page redirects to its Sandbox without a check, and the Sandbox answers 404.
    if (path === `/dashboard/${theirs.slug}` && status === 307) continue;
    expect(status, path).toBe(404);
    expect(text, path).not.toContain(NAME);
  }
  expect((await answered(stranger, "/dashboard/no-such-project/sandbox")).status).toBe(404);
});
