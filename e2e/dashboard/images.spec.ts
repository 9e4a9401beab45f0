import { expect, type Page } from "@playwright/test";
import { answerOf } from "../../testing/rpc.ts";
import { callAnswer } from "./own-project.ts";
import { test } from "./sign-in.ts";

const DEMO = { project: "demo", environment: "sandbox" };

interface Upload {
  problems: { message: string }[];
  image: { id: string } | null;
}

const upload = (page: Page, bytes: Buffer | string) =>
  answerOf<Upload>(
    "definitions/uploadImage",
    callAnswer(page, "definitions/uploadImage", { ...DEMO, bytes: Buffer.from(bytes).toString("base64") }),
  );

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`;

test("an uploaded drawing is cached forever, runs no script, and may be shown by other sites", async ({ page, request }) => {
  const { image } = await upload(page, svg(`<script>document.title = "stolen"</script><circle r="4" onload="alert(1)" fill="red"/>`));
  const response = await request.get(`/images/${image!.id}`);
  expect(response.status()).toBe(200);
  expect(response.headers()).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(await response.text()).not.toMatch(/script|onload/);
  const spelled = await request.get(`/images/${image!.id}/`);
  expect(spelled.headers()["content-security-policy"]).toBe(response.headers()["content-security-policy"]);
  page.on("dialog", (dialog) => {
    throw new Error(`the drawing opened a dialog: ${dialog.message()}`);
  });
  await page.goto(`/images/${image!.id}`);
  expect(await page.title()).not.toBe("stolen");
  await expect(page.locator("circle")).toHaveCount(1);
});

test("a file that is no image is refused with a message, and an unknown image is not found", async ({ page, request }) => {
  expect((await upload(page, "<html><script>alert(1)</script></html>")).problems[0]?.message).toContain(
    "must be a complete PNG, JPEG, WebP or SVG",
  );
  expect((await upload(page, Buffer.alloc(1024 * 1024 + 1))).problems[0]?.message).toContain("at most 1 MiB");
  for (const id of ["0".repeat(64), "x", "..%2fdashboard"]) {
    const response = await request.get(`/images/${id}`);
    expect(response.status()).toBe(404);
    expect(response.headers()["cache-control"]).toContain("no-store");
  }
});

test("API responses contain a definition's image as a URL", async ({ page, request, service }) => {
  const { image } = await upload(page, svg("<rect width='3' height='3'/>"));
  const document = JSON.stringify({
    key: "pictured",
    name: "Pictured",
    priceInPoints: 1,
    images: { icon: image!.id },
    contents: [{ catalogItem: await numberItem(page), value: 1 }],
  });
  const save = { ...DEMO, kind: "marketplaceItems", document, isNew: true };
  expect((await callAnswer(page, "definitions/save", save)).status()).toBe(200);
  const [key] = /svc_sbox_[0-9a-f]{64}/.exec(service.printed()) ?? [""];
  const response = await request.get("/v1/marketplace-items/pictured?PlayerId=ann", { headers: { authorization: `Bearer ${key}` } });
  expect((await response.json()).images).toEqual({ icon: `${service.url}/images/${image!.id}` });
});

/** A catalog item whose value is a number. */
async function numberItem(page: Page): Promise<string> {
  const { catalogItems } = await answerOf<{ catalogItems: { key: string; valueType: string }[] }>(
    "definitions/catalogue",
    callAnswer(page, "definitions/catalogue", DEMO),
  );
  return catalogItems.find(({ valueType }) => valueType === "Number")!.key;
}
