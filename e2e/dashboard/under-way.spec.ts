import { expect } from "@playwright/test";
import { expectToast, take } from "./forms.ts";
import { failNext, hold, intercept } from "./intercept.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const EVENT = { key: "paid", name: { default: "en", texts: { en: "Paid", nl: "Betaald" } } };

test("dialogs stay open while they act, once however often they are pressed", async ({ page }) => {
  const { at, call: rpc } = await ownProject(page);
  await rpc("keys/create", { name: "Counter" });
  await page.goto(at("/developers"));
  await test.step("a dialog stays open while its request is under way, and a failed request lets it close", async () => {
    const dialog = page.getByRole("dialog");
    const open = async () => {
      await page.getByRole("button", { name: "Create key" }).first().click();
      await dialog.getByLabel("Name").fill("Till");
    };
    await open();
    // The list is read again after the failure, which is shown without waiting for it.
    const list = await hold(page, "**/rpc/keys/list");
    await failNext(page, "keys/create");
    await page.keyboard.press("Enter");
    await expect(dialog.getByText("The service cannot be reached.")).toBeVisible();
    await expect(dialog.getByLabel("Name")).toBeFocused();
    list.release();
    // A press that misses the form closes nothing.
    await page.mouse.click(5, 5);
    await page.keyboard.type("s");
    await expect(dialog.getByLabel("Name")).toHaveValue("Tills");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);

    await open();
    const { held, release } = await hold(page, "**/rpc/keys/create");
    for (let press = 0; press < 3; press++) await page.keyboard.press("Enter");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
    await page.keyboard.type(" of the shop");
    await expect(dialog.getByLabel("Name")).toHaveValue("Till");
    await expect(dialog.getByRole("button", { name: "Close" })).toBeDisabled();
    await dialog.getByRole("button", { name: "Close" }).click({ force: true });
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    release();
    await expect(page.getByText("It is shown only once.")).toBeVisible();
    expect(held).toHaveLength(1);
    await page.getByRole("button", { name: "Done" }).click();
  });
  await test.step("a confirmation stays open while it acts, and acts once however often it is pressed", async () => {
    await page.getByRole("button", { name: "Revoke Counter" }).click();
    const { held, release } = await hold(page, "**/rpc/keys/revoke");
    const dialog = page.getByRole("alertdialog", { name: /Revoke/ });
    const confirm = dialog.getByRole("button", { name: "Revoke" });
    await confirm.dblclick();
    await page.keyboard.press("Escape");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
    release();
    await expect(dialog).toHaveCount(0);
    expect(held).toHaveLength(1);
  });
});

test("Enter pressed three times in a translation saves it once", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT] });
  await page.goto(shop.at("/translations"));
  await page.getByRole("button", { name: "Edit Paid, Name in Dutch" }).click();
  const cell = page.getByRole("textbox", { name: "Paid, Name in Dutch" });
  await cell.fill("Afgerekend");
  const { held, release } = await hold(page, "**/rpc/definitions/translate");
  // A busy page takes up the presses one after the other, before any timer.
  const busy = page.evaluate(() => {
    for (const end = performance.now() + 500; performance.now() < end;);
  });
  await Promise.all([busy, ...Array.from({ length: 3 }, () => page.keyboard.press("Enter"))]);
  await expect.poll(() => held).toHaveLength(1);
  release();
  await expect(cell).toHaveCount(0);
  await expect(page.getByText(/changed Paid meanwhile/)).toHaveCount(0);
  expect(held).toHaveLength(1);
});

test("a text that another translator changed meanwhile is not overwritten, also when the list has been read again", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT, { key: "seen", name: "Seen" }] });
  await page.goto(shop.at("/translations"));
  await page.getByRole("button", { name: "Edit Paid, Name in Dutch" }).click();
  await page.getByRole("textbox", { name: "Paid, Name in Dutch" }).fill("Afgerekend");
  await shop.define({ events: [{ ...EVENT, name: { default: "en", texts: { en: "Paid", nl: "Voldaan" } } }] });
  // A saved text has the list read again.
  await page.getByRole("button", { name: "Write Seen, Name in Dutch" }).click();
  await page.getByRole("textbox", { name: "Seen, Name in Dutch" }).fill("Gezien");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("button", { name: "Edit Seen, Name in Dutch" })).toBeVisible();
  await page.getByRole("textbox", { name: "Paid, Name in Dutch" }).press("ControlOrMeta+Enter");
  await expectToast(page, /changed Paid meanwhile$/);
  expect(await shop.stored("events", "paid")).toMatchObject({ name: { texts: { nl: "Voldaan" } } });
});

test("a save whose author has left the form opens no page", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/events/new"));
  await page.getByRole("textbox", { name: /^Name/ }).fill("Refunded");
  const { release } = await hold(page, "**/rpc/definitions/save");
  await page.getByRole("button", { name: "Create event" }).click();
  await page.getByRole("link", { name: "Players", exact: true }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(/\/players$/);
  const { held } = await hold(page, /\/events\/refunded\?/);
  const read = page.waitForResponse("**/rpc/players/list");
  release();
  await expect(page.getByText("Event created")).toBeVisible();
  await (await read).finished();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  expect(held).toEqual([]);
  await expect(page).toHaveURL(/\/players$/);
});

test("a definition is created once, however long its page takes to load, and its form takes no input meanwhile", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/events/new"));
  const name = page.locator(`[data-pointer="/name"] input`);
  await name.fill("Refunded");
  // After a failure the author goes on where they were; the next success takes the failure away.
  await failNext(page, "definitions/save");
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "The event was not saved");
  await expect(name).toBeFocused();
  const saves = await hold(page, "**/rpc/definitions/save");
  saves.release();
  const { held, release } = await hold(page, /\/events\/refunded\?/);
  const create = page.getByRole("button", { name: "Create event" });
  await create.click();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await expect(create).toBeDisabled();
  await create.click({ force: true });
  await page.keyboard.press("ControlOrMeta+s");
  await name.focus();
  await page.keyboard.type(" in part");
  await expect(name).toHaveValue("Refunded");
  await expect(page.getByText("The event was not saved")).toHaveCount(0);
  release();
  await page.waitForURL(/\/events\/refunded$/);
  expect(saves.held).toHaveLength(1);
});

test("a save whose author is on the way to another page does not call them back", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/events/new"));
  await page.getByRole("textbox", { name: /^Name/ }).fill("Refunded");
  const save = await hold(page, "**/rpc/definitions/save");
  await page.getByRole("button", { name: "Create event" }).click();
  const players = await hold(page, /\/players\?/);
  await page.getByRole("link", { name: "Players", exact: true }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect.poll(() => players.held.length).toBeGreaterThan(0);
  const created = await hold(page, /\/events\/refunded\?/);
  save.release();
  await expect(page.getByText("Event created")).toBeVisible();
  players.release();
  await page.waitForURL(/\/players$/);
  expect(created.held).toEqual([]);
});

test("a new project opens only where its author has waited for it", async ({ page }) => {
  await page.goto("/dashboard/new-project");
  const slug = `own-${Date.now()}`;
  await page.getByLabel("Name").fill("Left alone");
  await page.getByLabel("Slug").fill(slug);
  const { release } = await hold(page, "**/rpc/projects/create");
  const made = page.waitForResponse("**/rpc/projects/create");
  await page.getByRole("button", { name: "Create project" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL(/\/dashboard\/.+\/sandbox/);
  const { held } = await hold(page, new RegExp(`/dashboard/${slug}`));
  release();
  await (await made).finished();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  expect(held).toEqual([]);
});

test("unsaved changes are asked about before Back, the palette and a shortcut leave them", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/events"));
  await page.getByRole("link", { name: "New event" }).click();
  await page.waitForURL(/\/events\/new$/);
  const name = page.getByRole("textbox", { name: /^Name/ });
  await name.fill("Refunded");
  const keep = async () => {
    await expect(page.getByRole("alertdialog")).toContainText("Leave without saving?");
    await page.getByRole("button", { name: "Keep editing" }).click();
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    await expect(name).toHaveValue("Refunded");
  };
  const back = () => page.evaluate(() => history.back());
  // The way back from a part of the form leaves nothing.
  await page.evaluate(() => void (location.hash = "content"));
  await page.waitForURL(/\/events\/new#content$/);
  await back();
  await page.waitForURL(/\/events\/new$/);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await back();
  await keep();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search or jump to" }).fill("Quickstart");
  await page.keyboard.press("Enter");
  await keep();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await keep();
  await back();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(/\/events$/);
});

test("Back asks again while the page that its author agreed to leave for has not opened", async ({ page }) => {
  const shop = await ownProject(page);
  await page.goto(shop.at("/events"));
  await page.getByRole("link", { name: "New event" }).click();
  await page.waitForURL(/\/events\/new$/);
  await page.getByRole("textbox", { name: /^Name/ }).fill("Refunded");
  const players = await hold(page, /\/players\?/);
  await page.getByRole("link", { name: "Players", exact: true }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect.poll(() => players.held.length).toBeGreaterThan(0);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.evaluate(() => history.back());
  await expect(page.getByRole("alertdialog")).toContainText("Leave without saving?");
});

test("the shortcut that saves a form does nothing behind a dialog; a message beside the form takes no keys from it", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({ events: [EVENT] });
  await page.goto(shop.at("/events/paid/edit"));
  await page.locator(`[data-pointer="/name"] input`).first().fill("Settled");
  await page.getByRole("button", { name: "Schedule…" }).click();
  await expect(page.getByLabel("Applies at")).toBeFocused();
  const saves: string[] = [];
  await intercept(page, "**/rpc/definitions/save", async (request) => {
    saves.push(request.url);
    await request.abort();
  });
  await page.keyboard.press("ControlOrMeta+s");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(saves).toEqual([]);

  for (const attempt of [1, 2]) {
    await page.keyboard.press("ControlOrMeta+s");
    await expect.poll(() => saves).toHaveLength(attempt);
    await expectToast(page, "The event was not saved");
  }
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("an adjustment of points is the one that was confirmed, and is undone once", async ({ page }) => {
  const shop = await ownProject(page);
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  await page.request.post("/v1/players", { headers, data: { playerId: "ann" } });
  const adjusted = { externalId: "ann", amount: 1_000, reason: "A test", requestId: crypto.randomUUID() };
  await shop.call("players/adjustPoints", adjusted);
  await page.goto(shop.at("/players/ann"));
  const dialog = page.getByRole("alertdialog");
  await test.step("Undo pressed twice takes an adjustment of points back once", async () => {
    await page.getByRole("button", { name: "Adjust points" }).click();
    await dialog.getByLabel("Points").fill("50");
    await dialog.getByLabel("Reason").fill("A mistake");
    await dialog.getByRole("button", { name: "Adjust points" }).click();
    const { held, release } = await hold(page, "**/rpc/players/adjustPoints");
    await page.getByRole("button", { name: "Undo" }).dblclick();
    release();
    await expect(page.getByText("Adjustment undone")).toBeVisible();
    await expect(page.getByText("The balance is 1,000 points.")).toBeVisible();
    expect(held).toHaveLength(1);
  });
  await test.step("what is typed while points are adjusted changes neither the adjustment nor its undo", async () => {
    await page.getByRole("button", { name: "Adjust points" }).click();
    const points = dialog.getByLabel("Points");
    await points.fill("50");
    await dialog.getByLabel("Reason").fill("A mistake");
    const { held, release } = await hold(page, "**/rpc/players/adjustPoints");
    await dialog.getByRole("button", { name: "Adjust points" }).click();
    await expect.poll(() => held).toHaveLength(1);
    await points.focus();
    await page.keyboard.type("0");
    await expect(points).toHaveValue("50");
    release();
    await page.getByRole("button", { name: "Undo" }).click();
    // The toast of the undo before may still be there.
    const balance = async () => (await shop.call<{ balance: object }>("players/get", { externalId: "ann" })).balance;
    await expect.poll(balance).toMatchObject({ balance: 1_000 });
  });
});

test("a link is made once at a time: a second one would end the first", async ({ page }) => {
  const { slug, call: rpc } = await ownProject(page);
  await rpc("members/invite", { email: "ann@example.com", role: "Viewer", scope: "project" });
  await page.goto(`/dashboard/${slug}/settings/members`);
  const { held, release } = await hold(page, "**/rpc/members/inviteAgain");
  const menu = "More about the invitation for ann@example.com";
  await take(page, menu, "New link");
  await page.getByRole("button", { name: menu }).click();
  await expect(page.getByRole("menuitem", { name: "New link" })).toBeDisabled();
  await page.keyboard.press("Escape");
  release();
  await expect(page.getByRole("dialog", { name: "ann@example.com is invited" })).toBeVisible();
  expect(held).toHaveLength(1);
});

test("a choice of mails is shown at once, and is back as it was if it is not saved", async ({ page }) => {
  const { slug, call: rpc } = await ownProject(page);
  await rpc("projectSettings/save", { name: slug });
  await page.goto("/dashboard/account");
  const project = page.locator("details").filter({ hasText: slug });
  await project.evaluate((details) => ((details as HTMLDetailsElement).open = true));
  const box = project.getByRole("checkbox", { name: "Events are in quarantine" });
  await expect(box).toBeChecked();
  await failNext(page, "notices/choose");
  const list = await hold(page, "**/rpc/notices/choices");
  await box.click();
  await expect(page.getByText("The setting was not saved").first()).toBeVisible();
  await expect(box).toBeChecked();
  list.release();

  const { held, release } = await hold(page, "**/rpc/notices/choose");
  await box.click();
  await expect(box).not.toBeChecked();
  await box.click();
  await expect(box).toBeChecked();
  await box.click();
  await expect(box).not.toBeChecked();
  // They wait for one another, so the last choice counts.
  expect(held).toHaveLength(1);
  release();
  await expect.poll(() => held.length).toBe(3);
  const mailed = async () => {
    const { projects } = await rpc<{ projects: { slug: string; mailed: string[] }[] }>("notices/choices");
    return projects.find((one) => one.slug === slug)!.mailed;
  };
  await expect.poll(mailed).not.toContain("Quarantined");
  await expect(box).not.toBeChecked();
});
