import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { ERRORS } from "../server/model/kernel/errors.ts";
import { expectToFit } from "./fits.ts";
import { test } from "./service.ts";

test("the base address answers 404, to a browser with a page of working links", async ({ page, request, baseURL }) => {
  const answer = await page.goto("/");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const links = await page.getByRole("link").all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute("href")));
  expect(addresses).toEqual(expect.arrayContaining(["/dashboard", "/docs"]));
  for (const address of addresses) {
    const target = new URL(address!, baseURL);
    expect((await request.get(target.href)).status(), target.href).toBe(200);
  }
});

test("the base address answers a program with a problem, whose type is on the error reference", async ({ page, request }) => {
  const answer = await request.get("/", { headers: { Accept: "*/*" } });
  expect(answer.status()).toBe(404);
  expect(answer.headers()["content-type"]).toBe("application/problem+json");
  const { type, code } = (await answer.json()) as { type: string; code: string };
  expect(code).toBe("route.not_found");
  await page.goto(type);
  await expect(page.locator("article:target")).toContainText(ERRORS["route.not_found"].meaning);
});

test("the files that browsers, phones and crawlers request by themselves exist", async ({ request }) => {
  const types = {
    "/favicon.ico": "image/x-icon",
    "/apple-touch-icon.png": "image/png",
    "/icon-512.png": "image/png",
    "/social.png": "image/png",
    "/manifest.webmanifest": "application/manifest+json",
    "/robots.txt": "text/plain; charset=UTF-8",
  };
  for (const [path, type] of Object.entries(types)) {
    const answer = await request.get(path, { headers: { Accept: "*/*" } });
    expect([answer.status(), answer.headers()["content-type"]], path).toEqual([200, type]);
  }
  expect(await (await request.get("/robots.txt")).text()).toContain("Disallow: /\n");
  const html = await (await request.get("/docs", { headers: { Accept: "text/html" } })).text();
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"');
  expect(html).toMatch(/<meta property="og:image" content="http[^"]*\/social\.png"/);
});

test("actions have the same ids in every build, so that a page from before an upgrade can sign in and out", () => {
  const { node } = JSON.parse(readFileSync(new URL("../.next/server/server-reference-manifest.json", import.meta.url), "utf8")) as {
    node: Record<string, { exportedName: string }>;
  };
  const ids = Object.fromEntries(Object.entries(node).map(([id, { exportedName }]) => [exportedName, id]));
  expect(ids).toMatchObject({
    signInWithPassword: "60fcdbdebd27a3ef9a1147729e5f76cfe60ad6bba1",
    signInWithCode: "602a0c58ad13ae6884be32882b973e3c6a554e5b66",
    endSession: "000c9af4bddd970f1ec4bd07a13723810a1c813af3",
  });
});

test("where a worker runs, the cron routes answer 404, also to a browser", async ({ request }) => {
  const answer = await request.get("/api/cron/facts", { headers: { Accept: "text/html", Authorization: "Bearer 0123456789abcdef" } });
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([404, "application/problem+json"]);
});

test("every error code has its entry on the error reference", async ({ request }) => {
  const html = await (await request.get("/docs/errors", { headers: { Accept: "text/html" } })).text();
  const ids = [...html.matchAll(/<article id="([^"]+)"/g)].map(([, id]) => id!);
  expect(ids.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test("the base address fits a narrow screen, follows the theme, breaks no content policy and asks nothing of other hosts", async ({
  page,
  baseURL,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The browser reports the status of the base address itself.
    if (message.type() === "error" && !message.text().includes("404 (Not Found)")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`)) complaints.push(request.url());
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await expectToFit(page, 360);
  for (const [colorScheme, background] of [
    ["light", "rgb(255, 255, 255)"],
    ["dark", "rgb(20, 22, 26)"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("body")).toHaveCSS("background-color", background);
  }
  expect(complaints).toEqual([]);
});
