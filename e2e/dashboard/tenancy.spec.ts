import { readdirSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { signIn, test } from "../service.ts";

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

test("the pages of another organization's project are not found, like those of an unknown one", async ({ page, service }) => {
  test.slow();
  const create = (slug: string, ...more: string[]) =>
    service.cli("project", "create", "--slug", slug, "--name", `The secret of ${slug}`, "--language", "en", "--time-zone", "UTC", ...more);
  await create("theirs", "--organization", "another");
  await create("mine", "--organization", "mine");
  const email = "stranger@example.com";
  const password = await service.cli("user", "create", "--email", email, "--role", "Owner", "--project", "mine");
  await signIn(page, { email, password });
  expect(await answered(page, "/dashboard/mine/sandbox")).toMatchObject({
    status: 200,
    text: expect.stringContaining("The secret of mine"),
  });
  const paths = pagesOf("theirs");
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    const { status, text } = await answered(page, path);
    // The project's own page redirects to its Sandbox without a check, and the Sandbox answers 404.
    if (path === "/dashboard/theirs" && status === 307) continue;
    expect(status, path).toBe(404);
    expect(text, path).not.toContain("The secret of");
  }
  expect((await answered(page, "/dashboard/no-such-project/sandbox")).status).toBe(404);
});
