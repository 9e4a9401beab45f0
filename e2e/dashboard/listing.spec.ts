import { expect } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { pick } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script><circle cx="20" cy="20" r="18" fill="#a9714b"/></svg>`;

test("a listing with an uploaded image and two languages is authored, an app reads it in either, and lists show images", async ({
  page,
}) => {
  const shop = await ownProject(page);
  await shop.define({ catalogItems: [{ key: "free_coffee", name: "Free coffee", valueType: "Number" }] });
  await page.goto(shop.at("/listings"));
  await page.getByRole("link", { name: "New listing" }).first().click();

  await page.getByRole("textbox", { name: "Name", exact: true }).fill("A coffee on us");
  await expect(page.getByRole("textbox", { name: "Key", exact: true })).toHaveValue("a_coffee_on_us");
  await page.getByRole("button", { name: "Add a language" }).first().click();
  await pick(page.getByRole("combobox", { name: "Language to add" }), "nl");
  // A missing value stays marked until it is there.
  await expect(page.getByText("Missing").first()).toBeVisible();
  await page.getByLabel("Name in Dutch").fill("Een koffie van ons");
  await page.getByLabel("Description in English").fill("Any drink, any size.");
  await page.getByLabel("Description in Dutch").fill("Elk drankje, elke maat.");
  await expect(page.getByText("Missing")).toHaveCount(0);

  await page.getByRole("button", { name: "icon", exact: true }).click();
  await page.getByRole("button", { name: "Upload an image for icon" }).click();
  const dialog = page.getByRole("dialog", { name: "Image for icon" });
  await dialog.getByLabel("Image file").setInputFiles({ name: "cup.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  await expect(dialog.getByText(/PNG, JPEG, WebP or SVG image/)).toBeVisible();
  await dialog.getByLabel("Image file").setInputFiles({ name: "cup.svg", mimeType: "image/svg+xml", buffer: Buffer.from(DRAWING) });
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Uploaded image")).toBeVisible();
  const shown = page.locator('[data-pointer="/images/icon"] img');
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);

  await page.getByLabel("Price in points").fill("120");
  await page.getByRole("button", { name: "Add a catalog item" }).click();
  await pick(page.getByRole("combobox", { name: "catalog item", exact: true }), "Free coffee");
  await page.getByLabel("Quantity").fill("2");
  await page.getByRole("button", { name: "Create listing" }).click();
  await page.waitForURL(/\/listings\/a_coffee_on_us$/);

  const { key } = await shop.call<{ key: string }>("keys/create", { name: "app" });
  const read = async (language: string) => {
    const answer = await page.request.get(`/v1/marketplace-items?PlayerId=ann&LanguageCode=${language}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const [listing] = (await answer.json()) as [{ name: string; description: string; priceInPoints: number; images: { icon: string } }];
    return listing;
  };
  expect(await read("nl")).toMatchObject({ name: "Een koffie van ons", description: "Elk drankje, elke maat.", priceInPoints: 120 });
  const { images, ...english } = await read("en");
  expect(english).toMatchObject({ name: "A coffee on us", description: "Any drink, any size." });
  const image = await page.request.get(images.icon);
  expect([image.status(), image.headers()["content-type"]]).toEqual([200, "image/svg+xml"]);
  expect(await image.text()).toContain("<circle");
  expect(await image.text()).not.toContain("script");

  await test.step("the images of the demo's shop are shown in its list", async () => {
    await follow(page, "/dashboard/demo/sandbox/listings");
    for (const name of ["A coffee on us", "Something sweet", "Breakfast for two"]) {
      const image = page.getByRole("row", { name }).locator("img");
      await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth), name).toBe(96);
    }
  });
});
