import { expect, type Page } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How far the API says that the Sandbox is ahead of real time. A call takes some milliseconds. */
async function ahead(page: Page, key: string): Promise<number> {
  const answer = await page.request.get("/v1/points?PlayerId=ann", { headers: { authorization: `Bearer ${key}` } });
  const shown = answer.headers()["x-sandbox-time"];
  return shown === undefined ? 0 : Date.parse(shown) - Date.now();
}

test("the Sandbox clock moves by a day, and to an instant; the API and the screens follow it, and the audit log has it", async ({
  page,
}) => {
  const { slug, at, call } = await ownProject(page, { timeZone: "UTC" });
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  await page.goto(at("/settings"));
  const time = page.getByLabel("Time in the Sandbox");
  const before = await ahead(page, key);
  const shown = await time.textContent();
  const asked = page.getByRole("alertdialog");
  await page.getByRole("button", { name: "+1 day", exact: true }).click();
  await expect(asked).toContainText("Move the Sandbox clock by 1 day?");
  await expect(asked).toContainText("This cannot be undone.");
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(time).toHaveText(shown!);
  await page.getByRole("button", { name: "+1 day", exact: true }).click();
  await asked.getByRole("button", { name: "Move the clock" }).click();
  await expect(page.getByText(/^It is .* in the Sandbox$/)).toBeVisible();
  await expect(time).not.toHaveText(shown!);
  const after = await ahead(page, key);
  expect(Math.round((after - before) / HOUR)).toBe(24);

  const target = new Date(Date.now() + after + 2 * DAY).toISOString().slice(0, 10);
  await page.getByLabel("To a date").fill(`${target}T12:00`);
  const move = page.getByRole("button", { name: "Move clock", exact: true });
  await move.press("Enter");
  await asked.getByRole("button", { name: "Move the clock" }).press("Enter");
  await expect(time).toContainText("12:00");
  await expect(asked).toHaveCount(0);
  await expect(move).toBeFocused();
  await page.getByLabel("To a date").fill(`${target}T10:00`);
  await move.click();
  await asked.getByRole("button", { name: "Move the clock" }).click();
  await expect(asked.getByText(/can only be moved forward/)).toBeVisible();

  await follow(page, `/dashboard/${slug}/audit-log?subjectKind=clock`);
  await expect(page.getByRole("list", { name: "Changes" }).getByRole("listitem")).toHaveCount(2);
});

test("a page that stays open follows the clock that others move, and says that changes are now requested", async ({ page }) => {
  const { at, call, define } = await ownProject(page, { timeZone: "UTC" });
  const startsAt = new Date(Date.now() + HOUR).toISOString();
  const soon = {
    key: "soon",
    name: "Soon",
    objectives: [{ event: "paid", operator: "EqualTo", target: 1 }],
    window: { startsAt, endsAt: null },
  };
  await define({ events: [{ key: "paid", name: "Paid" }], missions: [{ ...soon, rewards: [{ kind: "Points", points: 5 }] }] });
  await page.clock.install();
  await page.goto(at("/missions"));
  const row = page.getByRole("row", { name: /Soon/ });
  await expect(row).toContainText("Scheduled");
  await call("work/moveClock", { by: "P1D" });
  await call("projectSettings/guardLive", { isOn: true });
  await page.clock.fastForward("01:00");
  await expect(page.getByRole("complementary", { name: "Sandbox clock" })).toContainText("1 day ahead of real time");
  await expect(row).not.toContainText("Scheduled");
  await expect(page.getByRole("link", { name: "Change requests" })).toBeVisible();

  await follow(page, at("/analytics/events"));
  const days = page.getByText(/, UTC time$/);
  const shown = await days.textContent();
  await call("work/moveClock", { by: "P1D" });
  await page.clock.fastForward("01:00");
  await expect(days).not.toHaveText(shown!);

  await follow(page, at("/purchases?from=2026-01-31T09:00:00.000Z"));
  const from = page.getByLabel("From");
  await expect(from).toHaveValue("2026-01-31T09:00");
  await call("projectSettings/save", { timeZone: "Asia/Tokyo" });
  await page.clock.fastForward("01:00");
  await expect(from).toHaveValue("2026-01-31T18:00");
});

test("Live explains that it has no clock and no reset, and the Sandbox is reset by typing its name", async ({ page }) => {
  const { slug, at, call } = await ownProject(page);
  await page.goto(`/dashboard/${slug}/live/settings`);
  await expect(page.getByText(/Live always runs on real time/)).toBeVisible();
  await expect(page.getByText(/Live can't be reset/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Reset the Sandbox" })).toHaveCount(0);

  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  await page.request.post("/v1/players", { headers, data: { playerId: "soon-gone" } });
  await follow(page, at("/settings"));
  await page.getByRole("button", { name: "Reset the Sandbox" }).click();
  const dialog = page.getByRole("alertdialog");
  const confirm = dialog.getByRole("button", { name: "Reset the Sandbox" });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel(`Type ${slug} to confirm`).fill(slug);
  await confirm.click();
  await expect(page.getByText("Sandbox reset")).toBeVisible();
  const data = { playerId: "soon-gone", amount: 5, reason: "none" };
  expect((await page.request.post("/v1/points/adjustments", { headers, data })).status()).toBe(404);
});
