import { expect, type Page } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { keepPicture } from "../pictures.ts";
import { openForm, expectToast } from "./forms.ts";
import { callAnswer, memberOf, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";
import { looksRight } from "./looks-right.ts";

const objectives = [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 3 }];

test("a change to Live waits for a second person, who sees the difference and approves it", async ({ page, browser }) => {
  test.slow();
  await page.setViewportSize({ width: 1360, height: 900 });
  const shop = await ownProject(page);
  const mission = { key: "regular", name: "Regular", objectives, rewards: [{ kind: "Points", points: 40 }] };
  await shop.define({ events: [{ key: "order_placed", name: "Order placed" }], missions: [mission] });
  await shop.call("definitions/promoteAll", { dryRun: false });
  const live = (path: string) => `/dashboard/${shop.slug}/live${path}`;

  await page.goto(live("/settings"));
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Corner shop");
  await shop.call("projectSettings/save", { name: "Renamed meanwhile", timeZone: "Asia/Tokyo" });
  await page.getByText("Changes to Live need an approval", { exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Turn on" }).click();
  await expectToast(page, "Changes to Live now need an approval");
  await expect(page.getByRole("link", { name: "Change requests" }).first()).toBeVisible();
  // The settings have been read again: what was typed stays, and its save leaves the other settings as they are by now.
  await expect(page.getByRole("combobox", { name: "Time zone" })).toHaveValue(/Tokyo/);
  await expect(name).toHaveValue("Corner shop");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expectToast(page, "Project settings saved");
  expect(await shop.call("projectSettings/read")).toMatchObject({ name: "Corner shop", timeZone: "Asia/Tokyo" });
  await page.getByRole("switch", { name: "Define events and properties as they arrive" }).click();
  await expectToast(page, "Change requested");
  await expect(page.getByText("Discovery saved")).toHaveCount(0);

  const editor = await memberOf(browser, page, shop.slug, "Editor");
  await editor.setViewportSize({ width: 1360, height: 900 });
  // What the service refuses is shown in the form, not behind the dialog.
  await editor.goto(live("/missions/new?from=regular"));
  await editor.getByLabel(/^Key/).fill("regular");
  await editor.getByRole("button", { name: "Request change…" }).click();
  await editor.getByRole("dialog").getByRole("button", { name: "Request change" }).click();
  await expect(editor.locator('[data-pointer="/key"]').getByText(/there is already a mission/i)).toBeVisible();
  await expect(editor.getByRole("dialog")).toHaveCount(0);
  await expect(editor.getByLabel(/^Key/)).toBeFocused();

  // A translation becomes a request as well, and is not left open to be requested again.
  await editor.goto(live("/translations?kind=events&add=nl"));
  await editor.getByRole("button", { name: "Write Order placed, Name in Dutch" }).click();
  await editor.getByRole("textbox", { name: "Order placed, Name in Dutch" }).fill("Besteld");
  await editor.keyboard.press("ControlOrMeta+Enter");
  await expectToast(editor, "Change requested");
  await expect(editor.getByRole("textbox", { name: "Order placed, Name in Dutch" })).toHaveCount(0);

  await follow(editor, live("/missions/regular"));
  await openForm(editor);
  await editor.getByLabel("Points", { exact: true }).fill("400");
  await keepPicture(editor, "requests-form");
  await editor.getByRole("button", { name: "Request change…" }).click();
  const dialog = editor.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Ten times the points");
  await dialog.getByLabel("Reason").fill("For the summer.");
  await keepPicture(editor, "requests-dialog");
  await dialog.getByRole("button", { name: "Request change" }).click();
  await editor.waitForURL(/\/live\/requests\/[0-9a-f-]{36}$/);
  await expect(editor.getByRole("heading", { name: "Ten times the points" })).toBeVisible();
  await expect(editor.getByText("Waiting for approval").first()).toBeVisible();
  await editor.getByRole("button", { name: "Edit", exact: true }).click();
  const appliesAt = editor.getByLabel("Applies at");
  await appliesAt.press("1");
  await editor.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(appliesAt, "a time that is typed in part is not taken for none").toBeFocused();
  await editor.keyboard.press("Escape");
  await expect(editor.getByRole("dialog")).toHaveCount(0);
  await expect(editor.getByRole("button", { name: "Approve…" })).toHaveCount(0);

  await follow(page, live("/missions"));
  await expect(page.getByText("Change requested").first()).toBeVisible();
  await follow(page, live("/requests"));
  await expect(page.getByText("Ten times the points")).toBeVisible();
  await looksRight(page, "requests-list", { fullPage: true });
  await page.getByRole("link", { name: /Ten times the points/ }).click();
  const main = page.getByRole("main");
  await expect(main.getByText("After: ").first().locator("..")).toContainText("400");
  // A backtest is run from the request, which shows the result beside the change from then on.
  await page.getByRole("button", { name: "Run backtest of Regular" }).click();
  const panel = page.getByRole("dialog", { name: "Backtest of Regular" });
  await panel.getByRole("button", { name: "Run backtest" }).click();
  await expect(panel.getByText("No players yet, so there is no history to replay.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(main.getByText("No players yet, so there is no history to replay.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Show backtest of Regular" })).toBeVisible();
  await page.getByLabel("Comment").fill("Only until August?");
  await page.getByRole("button", { name: "Comment" }).press("Enter");
  await expect(page.getByLabel("Comment")).toHaveValue("");
  await expect(page.getByRole("button", { name: "Comment" })).toBeFocused();
  await expect(main.getByRole("list", { name: "Activity" }).getByText("Only until August?")).toBeVisible();
  await looksRight(page, "requests-waiting", { fullPage: true });
  await page.getByRole("button", { name: "Approve…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve and apply" }).click();
  await expectToast(page, "Request approved");
  await expect(main.getByText("applied it to Live")).toBeVisible();
  await follow(page, live("/missions/regular/history"));
  await expect(page.getByText(/, approved by /).first()).toBeVisible();
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("It becomes the newest version once another person approves it.");
  await page.keyboard.press("Escape");

  // Two requests change the same mission: once one is applied, the other conflicts.
  const { document } = await shop.call<{ document: string }>("definitions/get", { environment: "live", kind: "missions", key: "regular" });
  const changed = (more: object) => ({
    environment: "live",
    kind: "missions",
    isNew: false,
    document: JSON.stringify({ ...(JSON.parse(document) as object), ...more }),
  });
  const asked = (who: Page, more: object) =>
    who.request.post("/rpc/definitions/save", {
      headers: { "x-csrf-token": "orpc" },
      data: { json: { project: shop.slug, ...changed(more) } },
    });
  const first = (await (await asked(editor, { name: "Renamed" })).json()) as { json: { data: { requestId: string } } };
  const second = (await (await asked(editor, { name: "Named otherwise" })).json()) as { json: { data: { requestId: string } } };
  const removal = { project: shop.slug, environment: "live", kind: "missions", key: "regular" };
  const third = (await (await callAnswer(editor, "definitions/remove", removal)).json()) as typeof first;
  await shop.call("changeRequests/approve", { environment: "live", id: first.json.data.requestId, revision: 1 });
  await follow(page, live(`/requests/${third.json.data.requestId}`));
  await expect(main.getByText(/^In Live, .* changed on /), "a removal shows what it would remove, too").toBeVisible();
  await follow(page, live(`/requests/${second.json.data.requestId}`));
  await expect(main.getByText("Live has changed since: 1 definition no longer fits")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve…" })).toBeDisabled();
  await looksRight(page, "requests-conflict", { fullPage: true });
  // The request changes while the reason for its rejection is written: the text stays, and the old revision is not rejected.
  await page.clock.install();
  await page.reload();
  await page.getByRole("button", { name: "Reject…" }).click();
  const reason = page.getByRole("dialog").getByLabel("Reason");
  await reason.fill("It has another name by now.");
  const edited = { environment: "live", id: second.json.data.requestId, revision: 1, title: "Another name" };
  await callAnswer(editor, "changeRequests/edit", { project: shop.slug, ...edited });
  await page.clock.fastForward("00:30");
  await expect(page.locator("h1", { hasText: "Another name" })).toBeVisible();
  await expect(reason).toHaveValue("It has another name by now.");
  await page.getByRole("button", { name: "Reject request" }).click();
  await expect(page.getByText(/has changed since you read it/).first()).toBeVisible();
  await expect(reason).toHaveValue("It has another name by now.");
  await follow(editor, live(`/requests/${second.json.data.requestId}`));
  await editor.getByRole("link", { name: "Edit Named otherwise" }).click();
  await expect(editor.getByText("You are editing a change request")).toBeVisible();
  await expect(editor.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Named otherwise");
});
