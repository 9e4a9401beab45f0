import { type APIRequestContext, expect } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { mission, points } from "../definitions.ts";
import { choose, created, moveUp, pick, take, expectToast } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const MISSIONS = "/dashboard/demo/sandbox/missions";

/** The public API, called with the key that the service printed when it first started. */
function api(request: APIRequestContext, printed: string) {
  const headers = { Authorization: `Bearer ${/svc_sbox_\w+/.exec(printed)![0]}` };
  const post = async (path: string, data: object) => (await request.post(path, { headers, data })).json();
  const missionOf = async (playerId: string, key: string) => {
    const missions = (await post("/v1/missions", { playerId, includeCompleted: true })) as { missionKey: string; status: string }[];
    return missions.find(({ missionKey }) => missionKey === key);
  };
  return { post, missionOf };
}

test("a mission is authored from scratch, progresses with events, and pays its reward", async ({ page, request, service }) => {
  await page.goto(`${MISSIONS}/new`);
  await page.getByLabel("Name in English").fill("Three big coffees");
  await expect(page.getByLabel(/^Key/)).toHaveValue("three_big_coffees");
  await page.getByLabel("Description in English").fill("Three orders over 10.");

  await take(page, "Add an objective", /^Event/);
  await pick(page.getByRole("combobox", { name: "event", exact: true }), "order placed");
  await page.getByLabel("Value", { exact: true }).fill("three");
  // The error message moves the page only once the menu that was opened is closed: a press on its items still arrives.
  const mistake = page.getByText("Enter a number, such as 1000 or 12.5.");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("menuitem", { name: /^Property/ }).hover();
  await expect(mistake).toBeHidden();
  await page.getByRole("menuitem", { name: /^Property/ }).click();
  await expect(page.getByRole("combobox", { name: "property" })).toBeFocused();
  await expect(mistake).toBeVisible();
  await page.getByLabel("Value", { exact: true }).first().fill("3");
  await pick(page.getByRole("combobox", { name: "property" }), "amount");
  await choose(page.getByRole("combobox", { name: "How it is compared" }).nth(1), "is more than");
  await page.getByLabel("Value", { exact: true }).nth(1).fill("10");
  // The first press may close suggestions, which hide the rest of the page from assistive technology.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Order placed at least 3 times where amount is more than 10").first()).toBeVisible();

  await page.getByRole("button", { name: "Add points" }).click();
  await page.getByLabel("Points", { exact: true }).fill("75");
  await page.keyboard.press("ControlOrMeta+s");
  await created(page, "Mission");
  await expect(page).toHaveURL(new RegExp(`${MISSIONS}/three_big_coffees$`));

  const { post, missionOf } = api(request, service.printed());
  const playerId = "author-of-missions";
  await expect.poll(async () => (await missionOf(playerId, "three_big_coffees"))?.status).toBe("InProgress");
  const order = (amount: number) => ({ playerId, event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount } });
  expect(await post("/v1/events", { events: [order(12), order(4), order(30)] })).toMatchObject({ accepted: 3 });
  await expect
    .poll(() => missionOf(playerId, "three_big_coffees"))
    .toMatchObject({ status: "InProgress", objectives: [{ progress: { actual: { value: 2 }, target: { value: 3 } } }] });
  await post("/v1/events", { events: [order(10.01)] });
  await expect.poll(() => missionOf(playerId, "three_big_coffees")).toMatchObject({ status: "Completed", rewards: [{ pointsAmount: 75 }] });
});

test("immutable fields are named once, and a copy under a new key is offered", async ({ page }) => {
  const shop = await ownProject(page);
  const objectives = [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }];
  const mission = { key: "first_order", name: "First order", objectives, rewards: [{ kind: "Points", points: 50 }] };
  await shop.define({ events: [{ key: "order_placed", name: "Order placed" }], missions: [mission] });
  // Until a player has met it, it can start over with its key.
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  const headers = { authorization: `Bearer ${key}` };
  expect((await page.request.post("/v1/missions", { headers, data: { playerId: "ann" } })).status()).toBe(200);
  await page.goto(shop.at("/missions/first_order/edit"));
  const toDo = page.getByRole("region", { name: "Objectives" });
  await expect(page.getByText("Can't be changed: key, objectives, objective order, entry and repeats.")).toBeVisible();
  await expect(toDo.getByRole("button", { name: "Add an objective" })).toHaveCount(0);
  await expect(page.getByRole("radio", { name: "Every day" })).toBeDisabled();
  await expect(page.getByLabel(/^Key/)).toBeDisabled();

  await page.getByRole("link", { name: "Duplicate under a new key" }).click();
  await expect(page).toHaveURL(/\/missions\/new\?from=first_order$/);
  await expect(page.getByLabel(/^Key/)).toHaveValue("first_order_2");
  await expect(page.getByRole("button", { name: "Add an objective" })).toBeVisible();
  await page.getByRole("radio", { name: "Every day" }).click();
  await page.getByRole("button", { name: "Create mission" }).click();
  await created(page, "Mission");
  await expect(page).toHaveURL(shop.at("/missions/first_order_2"));
});

test("a finding of the service is shown at its field, and disappears with the change", async ({ page }) => {
  await page.goto(`${MISSIONS}/new?from=first_order`);
  const key = page.getByLabel(/^Key/);
  await key.fill("first_order");
  const devTools = await page.context().newCDPSession(page);
  // The form is inert during the save, and takes the focus only once that is over on screen.
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 10 });
  await page.getByRole("button", { name: "Create mission" }).click();
  const problem = page.locator('[data-pointer="/key"]').getByText(/there is already a mission/i);
  await expect(problem).toBeVisible();
  await expect(key).toBeFocused();
  await devTools.detach();
  await key.fill("first_order_too");
  await expect(problem).toHaveCount(0);
});

test("an incomplete form is not sent: each field names its problem, and the list links to it", async ({ page }) => {
  await page.goto(`${MISSIONS}/new`);
  await take(page, "Add an objective", /^Attribute/);
  await page.getByRole("button", { name: "Create mission" }).click();
  await expect(page.getByLabel("Name in English")).toBeFocused();
  const list = page.getByRole("alert").filter({ hasText: "Fix 5 problems" });
  await expect(list.getByRole("listitem")).toHaveText([
    "Name in English: Enter a name.",
    "Key: Enter a key.",
    "Objective 1, attribute: Required.",
    "Objective 1, target: Enter a value.",
    "Rewards: Add at least one reward.",
  ]);
  // Only the fields with mistakes are marked.
  await expect(page.getByLabel("Name in English")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Description in English")).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("combobox", { name: "attribute", exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("combobox", { name: "How it is compared" })).not.toHaveAttribute("aria-invalid", "true");
  await list.getByRole("button", { name: /Objective 1, attribute/ }).click();
  await expect(page.getByRole("combobox", { name: "attribute", exact: true })).toBeFocused();
  const ends = page.getByLabel("Ends", { exact: true });
  await ends.press("1");
  await page.getByRole("button", { name: "Create mission" }).click();
  await expect(ends, "a date that is typed in part is not taken for none").toBeFocused();
});

test("a rule with groups is built by keyboard, and is accessible", async ({ page }) => {
  await page.goto(`${MISSIONS}/new`);
  await take(page, "Add an objective", /^Event/);
  await pick(page.getByRole("combobox", { name: "event", exact: true }), "review");
  await take(page, /actions: Review written/, "Group conditions");
  await take(page, "Add a condition", /^Event/);
  await pick(page.getByRole("combobox", { name: "event", exact: true }).nth(1), "friend joined");
  const sentence = page.getByRole("region", { name: "Objectives" }).getByRole("paragraph").filter({ hasText: "at least once" });
  await expect(sentence).toHaveText(/^Review written at least once or Invited friend joined at least once$/i);

  await moveUp(page, "condition 2", { from: 2, of: 2 });
  await expect(sentence).toHaveText(/^Invited friend joined at least once or Review written at least once$/i);

  await take(page, /actions: Invited friend joined at least once$/i, "Negate");
  await expect(sentence).toHaveText(/^Not \(Invited friend joined at least once\) or Review written at least once$/i);
  expect(await violationsOf(page)).toEqual([]);
});

test("a switch of a mission takes over another author's change, and leaves what is typed unsaved", async ({ page }) => {
  const shop = await ownProject(page);
  await shop.define({
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [mission("regular", { name: "Regular", rewards: [points(50)] })],
  });
  const describe = async (description: string) => {
    const document = JSON.stringify({ ...(await shop.stored("missions", "regular")), description });
    const { problems } = await shop.call<{ problems: unknown[] }>("definitions/save", { kind: "missions", document, isNew: false });
    expect(problems).toEqual([]);
  };
  await page.goto(shop.at("/missions/regular/edit"));
  await describe("By another author");
  await take(page, "More actions", /^Switch off/);
  await expectToast(page, /is off$/);
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Description", exact: true })).toHaveValue("By another author");

  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Another name");
  await describe("By the other author again");
  await page.getByRole("button", { name: "Undo" }).click();
  await expectToast(page, /is on$/);
  await page.getByRole("link", { name: "Streaks" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Leave without saving?");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect(name).toHaveValue("Another name");

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("changed this while you had it open")).toBeVisible();
  await expect(page.getByRole("region", { name: "Their changes" })).toContainText("By the other author again");
  await expect(page.getByRole("region", { name: "Your changes" })).not.toContainText("By the other author again");
  expect(await shop.stored("missions", "regular")).toMatchObject({
    name: { texts: { en: "Regular" } },
    description: { texts: { en: "By the other author again" } },
    active: true,
  });
});
