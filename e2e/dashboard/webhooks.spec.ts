import { expect, type Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { type Reply, startReceiver } from "../../server/delivery/testing.ts";
import { take } from "./forms.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";
import { looksRight } from "./looks-right.ts";
import { mission, points } from "../definitions.ts";

test.use({ looksOften: true });

/** Completes the dialog of a new endpoint; returns its secret. */
async function addEndpoint(page: Page, url: string, event: string): Promise<string> {
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(url);
  await dialog.getByRole("checkbox", { name: event }).click();
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  return takeSecret(page);
}

async function takeSecret(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Show" }).click();
  const secret = page.getByLabel("Signing secret", { exact: true });
  await expect(secret).toHaveText(/^whsec_/);
  const text = (await secret.textContent())!;
  await page.getByRole("button", { name: "Done" }).click();
  return text;
}

test("an endpoint is added, pinged with its response shown, receives events, and is sent refused ones again", async ({ page }) => {
  const { at, call: rpc, define } = await ownProject(page);
  await define({
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [mission("one", { name: "One order", rewards: [points(5)] })],
  });
  const { key } = await rpc<{ key: string }>("keys/create", { name: "backend" });
  let reply: Reply = { status: 200 };
  const receiver = await startReceiver(() => reply);
  try {
    await page.goto(at("/developers/webhooks"));
    const secret = await addEndpoint(page, receiver.url, "mission.completed");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(receiver.url);
    // The button that opened the dialog is on the page before.
    await expect(page.getByRole("main")).toBeFocused();

    await page.getByRole("button", { name: "Send a ping" }).click();
    await expect(page.getByText("Success")).toBeVisible();
    await expect(page.getByText("thanks")).toBeVisible();
    const [ping] = receiver.received;
    expect(new Webhook(secret).verify(ping!.body, ping!.headers as Record<string, string>)).toMatchObject({ event: "ping" });
    reply = { status: 401 };
    await page.getByRole("button", { name: "Send a ping" }).click();
    await expect(page.getByText("Check that it verifies with this endpoint's secret")).toBeVisible();

    const call = (path: string, data: object) => page.request.post(path, { headers: { authorization: `Bearer ${key}` }, data });
    await call("/v1/missions", { playerId: "webhook-reader" });
    const occurredAt = new Date().toISOString();
    await call("/v1/events", { events: [{ playerId: "webhook-reader", event: "order_placed", occurredAt }] });
    const failed = page.getByRole("row", { name: /mission\.completed.*Failed.*401/ });
    await expect(failed.first()).toBeVisible();
    reply = { status: 200 };
    await failed.first().getByRole("button").click();
    const sheet = page.getByRole("dialog");
    await expect(sheet.getByText('"playerExternalId": "webhook-reader"')).toBeVisible();
    await sheet.getByRole("button", { name: "Resend" }).click();
    await expect(sheet.getByText("Delivered")).toBeVisible();
    await expect(sheet.getByRole("list", { name: "Attempts" }).getByRole("listitem")).toHaveCount(2);
  } finally {
    await receiver.close();
  }
});

test("an endpoint's problems are shown at its fields, of which the first has the focus; it is changed, its secret rotated, switched off and on, and deleted", async ({
  page,
}) => {
  const { slug } = await ownProject(page);
  await page.goto(`/dashboard/${slug}/live/developers/webhooks`);
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const add = page.getByRole("dialog").getByRole("button", { name: "Add endpoint" });
  await add.click();
  await expect(page.getByText(/must be an absolute http or https address/)).toBeVisible();
  await expect(page.getByText("An endpoint needs at least one event.")).toBeVisible();
  await expect(page.getByLabel("URL")).toBeFocused();
  await page.getByLabel("URL").fill("http://127.0.0.1:9/hooks");
  await add.click();
  await expect(page.getByText(/must be an absolute http or https address/)).toBeHidden();
  await expect(page.getByRole("checkbox").first()).toBeFocused();
  await page.getByRole("checkbox").first().click();
  await expect(page.getByText(/needs at least one event/)).toBeHidden();
  await page.getByRole("button", { name: "Cancel" }).click();
  const secret = await addEndpoint(page, "http://127.0.0.1:9/hooks", "mission.completed");

  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("http://127.0.0.1:9/other");
  await dialog.getByRole("checkbox", { name: "streak.milestone_reached" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("http://127.0.0.1:9/other");
  await page.getByRole("button", { name: "Send a ping" }).click();
  await expect(page.getByText("Nothing listens at this address and port.")).toBeVisible();

  const more = (item: string) => take(page, "More", item);
  await more("Rotate secret");
  await page.getByRole("button", { name: "Rotate secret" }).click();
  expect(await takeSecret(page)).not.toBe(secret);
  await expect(page.getByText(/Previous secret valid until/)).toBeVisible();
  await more("Rotate secret");
  await expect(page.getByRole("alertdialog")).toContainText("receivers that still use it will refuse webhooks");
  await page.getByRole("button", { name: "Cancel" }).click();

  await more("Switch off");
  await page.getByRole("alertdialog").getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByText("Nothing is sent to this endpoint")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Nothing is sent to this endpoint")).toBeHidden();

  await more("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete endpoint" }).click();
  await page.waitForURL(/\/developers\/webhooks$/);
  await expect(page.getByText("No endpoints yet")).toBeVisible();
});

test("an endpoint that another person changed meanwhile keeps that change, and one that they switched off is saved", async ({ page }) => {
  const { at, call } = await ownProject(page);
  const events = ["mission.completed"];
  const url = (path: string) => `http://127.0.0.1:9/${path}`;
  const { id } = await call<{ id: string }>("webhooks/create", { url: url("first"), events });
  await page.goto(at(`/developers/webhooks/${id}`));
  const heading = page.getByRole("heading", { level: 1 });
  const dialog = page.getByRole("dialog");
  const edit = async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("URL").fill(url("mine"));
  };
  const save = dialog.getByRole("button", { name: "Save" });
  await edit();
  await call("webhooks/edit", { id, url: url("theirs"), events });
  await save.click();
  await expect(dialog.getByText("This endpoint has changed since you opened it.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(heading).toContainText(url("theirs"));
  await edit();
  await call("webhooks/switch", { id, isOn: false });
  await save.click();
  await expect(heading).toContainText(url("mine"));
});

test("deliveries of an inactive endpoint are shown as held, and are discarded or sent; notifications cannot be sent again by hand", async ({
  page,
}) => {
  test.slow();
  const { at, call: rpc, define } = await ownProject(page);
  await define({
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [mission("one", { name: "One order", rewards: [points(5)] })],
    streaks: [
      {
        key: "daily",
        name: "Daily",
        cadence: "Day",
        event: "order_placed",
        milestones: [{ length: 1, rewards: [{ kind: "Points", points: 1 }] }],
      },
    ],
  });
  const { key } = await rpc<{ key: string }>("keys/create", { name: "backend" });
  const complete = async (playerId: string) => {
    const call = (path: string, data: object) => page.request.post(path, { headers: { authorization: `Bearer ${key}` }, data });
    await call("/v1/missions", { playerId });
    await call("/v1/events", { events: [{ playerId, event: "order_placed", occurredAt: new Date().toISOString() }] });
  };
  const more = (item: string) => take(page, "More", item);
  const topOf = async (name: string) => (await page.getByRole("heading", { name, exact: true }).boundingBox())!.y;
  const heightOfHealth = async () => (await topOf("Deliveries")) - (await topOf("Last 48 hours"));
  const held = (count: string) => expect(page.getByText("Held until switched on").locator("..")).toContainText(count);
  const receiver = await startReceiver();
  try {
    await page.goto(at("/developers/webhooks"));
    await addEndpoint(page, receiver.url, "mission.completed");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog").getByRole("checkbox", { name: "streak.milestone_reached" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await more("Switch off");
    await page.getByRole("alertdialog").getByRole("button", { name: "Switch off" }).click();
    await held("0");
    await expect(page.getByRole("button", { name: "Discard held deliveries" })).toBeHidden();

    for (const player of ["ann", "bob"]) await complete(player);
    await held("4");
    await expect(page.getByRole("row", { name: /mission\.completed.*Held/ })).toHaveCount(2);
    await looksRight(page, "webhook-off-held");
    await page
      .getByRole("row", { name: /mission\.completed.*Held/ })
      .first()
      .getByRole("button")
      .click();
    await expect(page.getByRole("dialog").getByText(/Held because the endpoint is off/)).toBeVisible();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Discard held deliveries" }).click();
    await expect(page.getByRole("alertdialog")).toContainText("Discard 4 deliveries?");
    await looksRight(page, "webhook-discard");
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
    await held("0");
    await expect(page.getByRole("row", { name: /mission\.completed.*Discarded/ })).toHaveCount(2);

    await complete("cat");
    await held("2");
    await page.goto(at("/developers/webhooks"));
    await expect(page.getByRole("row", { name: /Off.*2 held/ })).toBeVisible();
    await page.goBack();
    const height = await heightOfHealth();
    await more("Switch on");
    await expect(page.getByRole("alertdialog")).toContainText("2 held deliveries go out immediately");
    await page.getByRole("alertdialog").getByRole("button", { name: "Switch on" }).click();
    await expect(page.getByRole("row", { name: /Delivered/ })).toHaveCount(2);
    expect(receiver.received.every(({ body }) => body.includes('"cat"'))).toBe(true);
    await expect(page.getByText("Show as a table"), "the first attempts").toBeVisible();
    expect(await heightOfHealth(), "a list that moves under a pointer loses its click").toBe(height);

    await page
      .getByRole("row", { name: /streak\.milestone_reached.*Delivered/ })
      .getByRole("button")
      .click();
    const sheet = page.getByRole("dialog");
    await expect(sheet.getByText(/can be resent, not streak\.milestone_reached/)).toBeVisible();
    await expect(sheet.getByRole("button", { name: /Resend|Retry now/ })).toBeHidden();
    await page.keyboard.press("Escape");
    await page
      .getByRole("row", { name: /mission\.completed.*Discarded/ })
      .first()
      .getByRole("button")
      .click();
    await sheet.getByRole("button", { name: "Resend" }).click();
    await expect(sheet.getByText("Delivered")).toBeVisible();
  } finally {
    await receiver.close();
  }
});
