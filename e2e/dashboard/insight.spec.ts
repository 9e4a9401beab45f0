import { expect } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture, keepPictures } from "../pictures.ts";
import { take } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const goal = (description: string, target: number) => ({ description, event: "visit", operator: "GreaterThanOrEqualTo", target });

test("a report is filtered by segment, says where it cannot be or that it is off, and keeps its range when switching to Live", async ({
  page,
}) => {
  const { at, call, define } = await ownProject(page);
  await define({
    events: [{ key: "visit", name: "Visit" }],
    attributes: [{ key: "level", name: "Level", type: "Number" }],
    segments: [{ key: "regulars", name: "Regulars", rule: { attribute: "level", operator: "GreaterThan", value: 1 } }],
    missions: [{ key: "once", name: "Once", objectives: [goal("Visit", 1)], rewards: [{ kind: "Points", points: 30 }] }],
  });
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  for (const [playerId, level] of Object.entries({ ann: 2, bob: 1, cas: 1 })) {
    expect((await page.request.put("/v1/attributes", { headers, data: { playerId, attributes: { level } } })).status()).toBeLessThan(300);
    expect((await page.request.post("/v1/missions", { headers, data: { playerId } })).status()).toBeLessThan(300);
    const events = [{ playerId, event: "visit", occurredAt: new Date().toISOString() }];
    expect((await page.request.post("/v1/events", { headers, data: { events } })).status()).toBeLessThan(300);
  }
  await call("segments/countAgain", { key: "regulars" });

  await page.goto(at("/analytics/players?range=7d"));
  const figure = (label: string) => page.locator("dl > div").filter({ hasText: label }).locator("dd > span").first();
  await expect(async () => {
    await page.reload();
    await expect(figure("New players")).toHaveText(/^3/, { timeout: 1_000 });
  }).toPass();
  await take(page, "Segment: All players", "Regulars");
  await expect(page).toHaveURL(/\?range=7d&segment=regulars$/);
  await expect(page.getByText("Players in Regulars: 1")).toBeVisible();
  await expect(figure("New players")).toHaveText(/^1/);
  await keepPictures(page, "insight-segment.1280", { fullPage: true });
  await page.setViewportSize({ width: 390, height: 900 });
  await expectToFit(page, 390);
  await keepPicture(page, "insight-segment.390.light", { fullPage: true });
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole("navigation", { name: "Reports" }).getByRole("link", { name: "Missions" }).click();
  await page.waitForURL(/\/analytics\/missions\?range=7d&segment=regulars$/);
  await expect(page.getByRole("row", { name: /Once/ })).toContainText("30");
  await expect(page.getByRole("columnheader", { name: "Offered" })).toHaveCount(0);
  await keepPicture(page, "insight-segment-missions.1280.light", { fullPage: true });
  await page.getByRole("navigation", { name: "Reports" }).getByRole("link", { name: "Events" }).click();
  await expect(page.getByText("This report covers all players")).toBeVisible();

  await page.getByRole("navigation", { name: "Environment" }).getByRole("link", { name: "Live" }).click();
  await page.waitForURL(/\/live\/analytics\/events\?range=7d$/);

  await call("definitions/setActive", { kind: "segments", key: "regulars", active: false });
  await page.goto(at("/analytics/players?range=7d&segment=regulars"));
  await expect(page.getByText("There is no such segment, or it is off")).toBeVisible();
  await take(page, "Segment: regulars", "All players");
  await expect(figure("New players")).toHaveText(/^3/);
});

test("support grants one objective of a mission with a reason, and the player continues from there", async ({ page }) => {
  const { at, call, define } = await ownProject(page);
  await define({
    events: [{ key: "visit", name: "Visit" }],
    missions: [
      {
        ...{ key: "steps", name: "Two steps", objectiveOrder: "InOrder" },
        ...{ objectives: [goal("Come by", 3), goal("Come again", 1)], rewards: [{ kind: "Points", points: 30 }] },
      },
    ],
  });
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  expect((await page.request.post("/v1/missions", { headers, data: { playerId: "ann" } })).status()).toBeLessThan(300);
  await page.goto(at("/players/ann?tab=missions"));
  await page.getByText("Why not? Two steps").click();
  await keepPicture(page, "insight-objectives.1280.light", { fullPage: true });
  await page.getByRole("button", { name: "Grant objective: Come by" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Reason").fill("The till was down");
  await expect(dialog).toBeVisible();
  expect(await violationsOf(page, { within: "[role=alertdialog]" })).toEqual([]);
  await keepPicture(page, "insight-grant.1280.light");
  await dialog.getByRole("button", { name: "Grant objective" }).click();
  await expect(page.getByText("Objective granted")).toBeVisible();
  await expect(page.getByRole("button", { name: "Grant objective: Come by" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Grant objective: Come again" })).toBeVisible();
});
