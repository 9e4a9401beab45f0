import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { ERRORS } from "../server/model/kernel/errors.ts";
import { expectReadable, violationsOf } from "./accessible.ts";
import { expectToFit } from "./fits.ts";
import { follow } from "./hydrated.ts";
import { keepPicture } from "./pictures.ts";
import { test } from "./service.ts";

test.describe.configure({ mode: "parallel" });

/** The addresses of all pages, as the navigation has them. */
async function pagesOf(page: Page): Promise<string[]> {
  await page.goto("/docs");
  const links = page.getByRole("navigation", { name: "Documentation" }).getByRole("link");
  return links.evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
}

/** Browser errors, and requests to other hosts. */
function complaintsOf(page: Page, baseURL: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`)) complaints.push(request.url());
  });
  return complaints;
}

/** Pages that together have all parts of the documentation: code tabs, tables, steps with a key, long code, operations, entries. */
const SWEPT = [
  ...["", "/concepts", "/guides/missions", "/guides/webhooks", "/guides/definitions-as-code", "/api", "/api/missions"],
  ...["/webhooks", "/errors", "/definitions", "/command-line"],
].map((path) => `/docs${path}`);

test("every part of the pages is accessible, wide and narrow, and breaks no content policy", async ({ page, baseURL }) => {
  test.setTimeout(300_000);
  const complaints = complaintsOf(page, baseURL!);
  for (const [index, address] of SWEPT.entries()) {
    // The pages have the same parts, so axe checks them alternately in a narrow dark window and a wide light one.
    const isNarrow = index % 2 === 1;
    await page.emulateMedia({ colorScheme: isNarrow ? "dark" : "light" });
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const width of isNarrow ? [1440, 360] : [360, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expectToFit(page, width, address);
    }
    expect(await violationsOf(page), address).toEqual([]);
    await keepPicture(page, address.slice(1).replaceAll("/", "-"));
  }
  expect(complaints).toEqual([]);
});

test("every page has a heading, fits a narrow screen, and links only to existing ones", async ({ page, request, baseURL }) => {
  test.setTimeout(300_000);
  const addresses = await pagesOf(page);
  expect(addresses.length).toBeGreaterThan(22);
  await page.setViewportSize({ width: 360, height: 800 });
  const places = new Map<string, Set<string>>();
  const links = new Set<string>();
  for (const address of addresses) {
    // Fetched and shown by the loaded page: all pages have the same styles and scripts.
    const { status, ids, hrefs } = await page.evaluate(async (path) => {
      const answer = await fetch(path, { headers: { Accept: "text/html" } });
      const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
      const all = <Found extends Element>(selector: string) => [...parsed.querySelectorAll<Found>(selector)];
      const hrefs = all("a[href]").map((link) => link.getAttribute("href")!);
      const found = { status: answer.status, ids: all("[id]").map(({ id }) => id), hrefs };
      document.querySelector("main")!.replaceWith(parsed.querySelector("main")!);
      return found;
    }, address);
    expect(status, address).toBe(200);
    await expect(page.getByRole("heading", { level: 1 }), address).toHaveCount(1);
    await expectToFit(page, 360, address);
    places.set(address, new Set(ids));
    for (const href of hrefs) links.add(href.startsWith("#") ? `${address}${href}` : href);
  }
  for (const link of links) {
    const { pathname, hash } = new URL(link, baseURL);
    if (pathname === "/dashboard") continue;
    const ids = places.get(pathname);
    if (hash !== "") expect(ids?.has(decodeURIComponent(hash.slice(1))), link).toBe(true);
    else if (!ids) expect((await request.get(pathname)).status(), link).toBe(200);
  }
});

test("the reference has every endpoint of the document, and the conventions link to each", async ({ request }) => {
  const { paths } = (await (await request.get("/v1/openapi.json")).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  const [, main = ""] = (await (await request.get("/docs/api", { headers: { Accept: "text/html" } })).text()).split(/<\/?main\b/);
  const linked = [...main.matchAll(/<a [^>]*href="[^"#]*#([^"]+)"/g)].map(([, id]) => id);
  for (const id of ids)
    expect(
      linked.filter((one) => one === id),
      id,
    ).toHaveLength(1);
});

test("the first event works as its page shows, with the demo's key and the copied requests", async ({ page, context, service }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [key] = /svc_sbox_[0-9a-f]{64}/.exec(service.printed()) ?? [""];
  await page.goto("/docs/guides/first-event");
  const requests = page.getByRole("figure").filter({ hasText: /^Request/ });
  for (const figure of await requests.all()) {
    await figure.getByRole("button", { name: "Copy request" }).click();
    await expect(figure.getByRole("button", { name: "Copied request" })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await figure.locator("pre").textContent());
    const { status } = await sendAsCopied(copied, key!);
    expect(status, copied).toBe(200);
  }
  const balance = async () => {
    const answer = await fetch(`${service.url}/v1/points?PlayerId=amy`, { headers: { Authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { balance: number }).balance;
  };
  await expect.poll(balance).toBe(50);
});

test("an error's entry is marked when a problem's link leads to it", async ({ page }) => {
  await page.goto("/docs/errors#points.insufficient_balance");
  const entry = page.locator("article:target");
  await expect(entry).toContainText(ERRORS["points.insufficient_balance"].meaning);
  await expect(entry).toBeInViewport();
});

test("on a narrow screen the menu and the search lead to other pages, by keyboard too", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/docs/guides/shop");
  await test.step("on a narrow screen the menu opens by keyboard, marks the page and closes when another is chosen", async () => {
    const menu = page.getByRole("navigation", { name: "Documentation" });
    await expect(menu).toBeHidden();
    await page.getByLabel("Pages of the documentation").press("Enter");
    await expect(menu.getByRole("link", { name: "The shop" })).toHaveAttribute("aria-current", "page");
    await menu.getByRole("link", { name: "Errors" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Error reference" })).toBeVisible();
    await expect(menu).toBeHidden();
  });
  await test.step("search opens by a key, finds an error by half its name, and Enter opens it", async () => {
    await follow(page, "/docs/guides/shop");
    await page.keyboard.press("/");
    const search = page.getByRole("combobox", { name: "Search the documentation" });
    await search.fill("insuff");
    const results = page.getByRole("listbox", { name: "Results" });
    await expect(results.getByRole("option").first()).toContainText("points.insufficient_balance");
    await expectReadable(page, "docs-search");
    await expectToFit(page, 360);
    await page.keyboard.press("Escape");
    await expect(search).toBeHidden();
    await page.keyboard.press("Control+k");
    await search.fill("insufficient balance");
    await expect(results.getByRole("option").first()).toContainText("points.insufficient_balance");
    await search.press("Enter");
    await expect(page.locator("article:target")).toContainText("Insufficient balance");
  });
});

test("a language chosen by keyboard applies to all requests and receivers, and on the next page", async ({ page }) => {
  await page.goto("/docs/guides/webhooks#verify");
  await page.getByRole("tab", { name: "TypeScript" }).press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tabpanel", { name: "Python" })).toContainText("from standardwebhooks.webhooks import Webhook");
  await page.goto("/docs/guides/first-event");
  const requests = page.locator('figure[data-code="Request"]');
  for (const request of await requests.all()) await expect(request).toContainText("http.client");
  await keepPicture(page, "docs-python");
  await requests.first().getByRole("tab", { name: "C#" }).click();
  for (const request of await requests.all()) await expect(request).toContainText("new HttpClient()");
});

test("a page is copied as the Markdown that is served beside it, and /llms.txt leads to it", async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/concepts");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  const served = await request.get("/docs/concepts.md");
  expect(served.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await served.text());
  expect(await served.text()).toContain("## Ten words");
  expect(await (await request.get("/llms.txt")).text()).toContain(`(${baseURL}/docs/concepts.md)`);
  expect(await (await request.get("/llms-full.txt")).text()).toContain("## Ten words");
  for (const missing of ["/docs/nowhere.md", "/docs/api/nothing.md"]) expect((await request.get(missing)).status(), missing).toBe(404);
});

/** Lets a shell parse the request, and sends it as curl would. */
async function sendAsCopied(copied: string, key: string): Promise<Response> {
  const script = `curl() { printf '%s\\0' "$@"; }; ${copied}`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { env: { ...process.env, KEY: key } });
  const words = stdout.split("\0").slice(0, -1);
  const after = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
  const [name = "", value = ""] = after("-H")?.split(/: (.*)/) ?? [];
  const body = after("-d");
  const method = after("-X") ?? (body === undefined ? "GET" : "POST");
  return fetch(
    words.find((word) => word.startsWith("http"))!,
    { method, headers: { [name]: value }, body },
  );
}
