import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { OWNER } from "../service.ts";
import { follow } from "../hydrated.ts";
import { choose, take } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

test("a change is in the log with its difference, is found by filters that stay in the address, and is exported", async ({ page }) => {
  const { slug, at, define } = await ownProject(page);
  await page.goto(at("/settings"));
  const name = page.getByLabel("Name");
  const before = await name.inputValue();
  await name.fill('=Coffee, "quoted"');
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect(page.getByText("Project settings saved")).toBeVisible();

  await follow(page, `/dashboard/${slug}/audit-log`);
  const list = page.getByRole("list", { name: "Changes" });
  await choose(page.getByRole("combobox", { name: "Person" }), OWNER.email);
  await choose(page.getByRole("combobox", { name: "Kind" }), "Project");
  await choose(page.getByRole("combobox", { name: "Action" }), "Changed");
  await expect(page).toHaveURL(/subjectKind=project/);
  await page.reload();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  const entry = list.getByRole("listitem").first();
  await expect(entry).toContainText(`${OWNER.email} changed project`);
  await entry.locator("summary").click();
  await expect(entry.getByText(`− ${JSON.stringify(before)}`)).toBeVisible();

  const exported = async (format: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), take(page, "Export", format)]);
    return readFile(await download.path(), "utf8");
  };
  const lines = (await exported("JSON lines")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { actor: OWNER.email, action: "update", subjectKind: "project", subjectKey: slug },
  ]);
  const csv = await exported("CSV");
  expect(csv.split("\r\n")[0]).toBe("\uFEFFat,actor,token,environment,action,subjectKind,subjectKey,changes,id,partOf");
  expect(csv).toContain(OWNER.email);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(list.getByRole("listitem")).not.toHaveCount(1);

  // A change too long for the list is read when it is opened.
  const description = "A long description. ".repeat(400).trim();
  const objectives = [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }];
  const mission = { key: "long", name: "Long", description, objectives, rewards: [{ kind: "Points", points: 1 }] };
  await define({ events: [{ key: "order_placed", name: "Order placed" }], missions: [mission] });
  await follow(page, `/dashboard/${slug}/audit-log?subjectKey=long`);
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await entry.locator("summary").click();
  await expect(entry.getByText("A long description. A long description.").first()).toBeVisible();
});
