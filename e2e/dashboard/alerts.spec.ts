import { expect } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { follow } from "../hydrated.ts";
import { expectToast, pick, take } from "./forms.ts";
import { refuse } from "./intercept.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";
import { mission, points } from "../definitions.ts";

test("alerts, budgets and channels are added and edited in their dialogs", async ({ page }) => {
  const { at, slug, call, define } = await ownProject(page);
  await define({
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [mission("one", { name: "One order", rewards: [points(5)] })],
  });
  const dialog = page.getByRole("dialog");
  await test.step("what another person saved meanwhile is not overwritten: the dialog says so, and shows it when it is opened again", async () => {
    const alert = { figure: "Events", kind: null, key: null, comparison: "Above", basis: "Bound", hours: 1, name: "Many events" };
    await call("alerts/save", { ...alert, id: null, threshold: 100 });
    const [{ id }] = (await call<{ alerts: [{ id: string }] }>("alerts/list")).alerts;
    await page.goto(at("/alerts"));
    const value = dialog.getByRole("textbox", { name: "Value" });
    await take(page, "Actions for Many events", "Edit");
    await value.fill("300");
    await call("alerts/save", { ...alert, id, threshold: 200 });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("This alert has changed since you opened it.")).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await take(page, "Actions for Many events", "Edit");
    await expect(value).toHaveValue("200");
    await value.fill("300");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Alert saved");
  });
  await test.step("an alert and a budget are added in their dialogs, which name what is missing", async () => {
    const answer = await refuse(page, "alerts/preview");
    await page.getByRole("button", { name: "Add alert" }).click();
    await expect(dialog.getByText("The preview could not be loaded")).toBeVisible();
    answer();
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(dialog.getByText("Nothing was counted yet, so there is nothing to preview.")).toBeVisible();
    await dialog.getByLabel("Name").fill("Many points");
    await dialog.getByLabel("Times the usual").fill("few");
    await dialog.getByRole("button", { name: "Add alert" }).click();
    await expect(dialog.getByText("Enter a number, such as 1000.")).toBeVisible();
    await dialog.getByLabel("Times the usual").fill("3");
    await expect(dialog.getByText("Enter a number, such as 1000.")).toBeHidden();
    await expectReadable(page, "alerts-new");
    await dialog.getByRole("button", { name: "Add alert" }).click();
    await expectToast(page, "Alert added");
    await expect(page.getByRole("list", { name: "Alerts" }).getByRole("listitem")).toContainText(["Many events", "Many points"]);

    await page.getByRole("button", { name: "Add budget" }).click();
    await dialog.getByRole("button", { name: "Add budget" }).click();
    await expect(dialog.getByText("Select a mission or a listing.")).toBeVisible();
    await pick(dialog.getByRole("combobox", { name: "Mission or listing" }), "One order");
    // The field turns a comma into a point: saved as 10, the budget would switch the mission off.
    await dialog.getByLabel("Amount").fill("10,000");
    await dialog.getByRole("button", { name: "Add budget" }).click();
    await expect(dialog.getByText("Enter a whole number above 0, such as 1000.")).toBeVisible();
    await dialog.getByLabel("Amount").fill("1000");
    await dialog.getByRole("button", { name: "Add budget" }).click();
    await expectToast(page, "Budget added");
    await expect(page.getByRole("list", { name: "Budgets" }).getByRole("listitem")).toContainText("0 of 1,000 points today");
  });
  await test.step("a channel that another person renamed meanwhile keeps that name, and one that they switched off is saved", async () => {
    const url = "https://hooks.example.com/T1";
    const { id } = await call<{ id: string }>("channels/create", { type: "Slack", name: "Team", url, kinds: ["Alert"] });
    await follow(page, `/dashboard/${slug}/settings/channels`);
    const name = dialog.getByRole("textbox", { name: "Name" });
    await take(page, "More actions for Team", "Edit");
    await name.fill("Mine");
    await call("channels/edit", { id, name: "Theirs", kinds: ["Alert"] });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("This channel has changed since you opened it.")).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await take(page, "More actions for Theirs", "Edit");
    await name.fill("Mine");
    await call("channels/switch", { id, isOn: false });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Channel saved");
  });
});
