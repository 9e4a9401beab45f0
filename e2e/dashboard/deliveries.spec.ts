import { expect, type Page } from "@playwright/test";
import { type Reply, startReceiver } from "../../server/delivery/testing.ts";
import { follow } from "../hydrated.ts";
import { choose } from "./forms.ts";
import { hold } from "./intercept.ts";
import { memberOf, type OwnProject, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";
import { looksRight } from "./looks-right.ts";
import { mission, points } from "../definitions.ts";

test.use({ looksOften: true });

const MISSION = mission("one", { name: "One order", rewards: [points(5)] });

async function shopOf(page: Page) {
  const shop = await ownProject(page);
  await shop.define({ events: [{ key: "order_placed", name: "Order placed" }], missions: [MISSION] });
  const { key } = await shop.call<{ key: string }>("keys/create", { name: "backend" });
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers: { authorization: `Bearer ${key}` }, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  };
  const order = (playerId: string) =>
    send("/v1/events", { events: [{ playerId, event: "order_placed", occurredAt: new Date().toISOString() }] });
  const complete = async (playerId: string) => {
    await send("/v1/missions", { playerId });
    await order(playerId);
  };
  return { ...shop, send, order, complete };
}

const addEndpoint = (shop: OwnProject, url: string) => shop.call<{ id: string }>("webhooks/create", { url, events: ["mission.completed"] });

const HTML = '<html><body><h1>Internal error</h1><img src="/nowhere" onerror="document.title = 1"></body></html>';

test("a failed delivery is found by its player, its HTML answer is shown as text, and it is sent again once the receiver works", async ({
  page,
  browser,
}) => {
  test.slow();
  const shop = await shopOf(page);
  // During the test only manual attempts are made.
  const headers = { "content-type": "text/html", "x-request-id": "req-7", "retry-after": "3600" };
  let reply: Reply = { status: 500, headers, body: HTML };
  const receiver = await startReceiver(() => reply);
  try {
    await page.goto(shop.at("/developers/deliveries"));
    await expect(page.getByText("Add a webhook endpoint first.")).toBeVisible();
    const { id } = await addEndpoint(shop, receiver.url);
    for (const player of ["ann", "bob"]) await shop.complete(player);
    await page.goto(shop.at("/developers/deliveries?status=Pending"));
    await expect(page.getByRole("row", { name: /mission\.completed.*Pending.*500/ })).toHaveCount(2);
    await page.getByRole("searchbox", { name: "Player ID" }).fill("ann");
    await expect(page.getByRole("row", { name: /mission\.completed/ })).toHaveCount(1);
    await expect(page).toHaveURL(/player=ann/);
    await looksRight(page, "deliveries-list");

    await page
      .getByRole("row", { name: /mission\.completed/ })
      .getByRole("button")
      .click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("Request and response").first().click();
    await expect(sheet.getByLabel("Response body")).toHaveText(HTML);
    await expect(sheet.getByText("req-7")).toBeVisible();
    await expect(sheet.getByText("x-service-delivery")).toBeVisible();
    await expect(sheet.locator("h1, img")).toHaveCount(0);
    await expect(page).toHaveTitle(/^Deliveries/);
    await looksRight(page, "deliveries-answer");
    // Another user sees the same at this address.
    const colleague = await memberOf(browser, page, shop.slug, "Viewer");
    await colleague.goto(page.url());
    await expect(
      colleague
        .getByRole("dialog")
        .getByText(/The receiver returned an error/)
        .first(),
    ).toBeVisible();
    await expect(colleague.getByRole("button", { name: "Retry now" })).toBeHidden();

    reply = { status: 400, body: "no" };
    await sheet.getByRole("button", { name: "Retry now" }).click();
    await expect(sheet.getByText("Failed", { exact: true })).toBeVisible();
    await page.keyboard.press("Escape");

    reply = { status: 200 };
    // A list without matching deliveries has this button a second time.
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByRole("button", { name: "Resend failed" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("1 delivery failed. It is sent immediately.")).toBeVisible();
    // The other delivery waits for its next attempt; the dialog offers to make it now.
    await expect(dialog.getByRole("checkbox", { name: "Send 1 waiting one now" })).toBeChecked();
    await looksRight(page, "deliveries-resend");
    // Another choice is not sent under the number of the previous one.
    const { release } = await hold(page, "**/rpc/webhooks/countFailed");
    await choose(dialog.getByRole("combobox", { name: "Endpoint" }), receiver.url);
    await expect(dialog.getByText("Counting…")).toBeVisible();
    await expect(dialog.getByRole("button", { name: /^(Resend|Send)/ })).toBeDisabled();
    release();
    await dialog.getByRole("button", { name: "Resend 2" }).click();
    for (const player of ["ann", "bob"])
      await expect(page.getByRole("row", { name: new RegExp(`mission\\.completed.*Delivered.*200.*${player}`) })).toBeVisible();
    expect(receiver.received.slice(-2).map(({ body }) => body)).toEqual(
      expect.arrayContaining([expect.stringContaining('"ann"'), expect.stringContaining('"bob"')]),
    );

    await follow(page, shop.at(`/developers/webhooks/${id}`));
    await expect(page.getByRole("img", { name: /Last 48 hours: 2 attempts succeeded, \d+ failed/ })).toBeVisible();
    await page.getByText("Show as a table").click();
    await looksRight(page, "endpoint-health");
    await follow(page, shop.at("/developers/webhooks"));
    await expect(page.getByRole("img", { name: /Last 48 hours/ })).toBeVisible();
    await looksRight(page, "endpoints-health");
  } finally {
    await receiver.close();
  }
});

test("an event that cannot be processed is seen with its cause, tried, and counts once it is retried", async ({ page }) => {
  test.slow();
  const shop = await shopOf(page);
  await page.goto(shop.at("/developers/quarantine"));
  await expect(page.getByText("No quarantined events")).toBeVisible();
  await shop.send("/v1/missions", { playerId: "ann" });
  await shop.send("/v1/points/adjustments", { playerId: "ann", amount: Number.MAX_SAFE_INTEGER, reason: "a test" });
  await shop.order("ann");
  const list = page.getByRole("list", { name: "Quarantined events" });
  await expect(list.getByText(/The player's balance would go below zero, or above/)).toBeVisible();
  await list.getByRole("button", { name: "Try order_placed", exact: true }).click();
  await expect(list.getByText("A retry would fail again")).toBeVisible();
  await list.getByText("Details").click();
  await looksRight(page, "quarantine-fails");

  // Home says so as well.
  await follow(page, shop.at(""));
  const notice = page.getByRole("link", { name: /^1 event in quarantine/ });
  await expect(notice).toBeVisible();
  await notice.click();
  await page.waitForURL(/\/developers\/quarantine$/);

  await shop.send("/v1/points/adjustments", { playerId: "ann", amount: -1000, reason: "a test" });
  await list.getByRole("button", { name: "Try order_placed", exact: true }).click();
  await expect(list.getByText("Completes the mission One order")).toBeVisible();
  await expect(list.getByText("Grants 5 points")).toBeVisible();
  const retries: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("/rpc/work/retryQuarantined") && retries.push(request.url())));
  await list.getByRole("button", { name: "Retry order_placed" }).dblclick();
  await expect(page.getByText("No quarantined events")).toBeVisible();
  expect(retries).toHaveLength(1);
});

test("each user chooses their e-mail notifications", async ({ page, browser }) => {
  const shop = await ownProject(page);
  const viewer = await memberOf(browser, page, shop.slug, "Viewer");
  await viewer.goto("/dashboard/account");
  const choice = viewer.getByRole("checkbox", { name: "Events are in quarantine" });
  await expect(choice).not.toBeChecked();
  // The choice is shown before it is saved.
  const saved = viewer.waitForResponse("**/rpc/notices/choose");
  await choice.click();
  await expect(choice).toBeChecked();
  await saved;
  await viewer.reload();
  await expect(choice).toBeChecked();
});
