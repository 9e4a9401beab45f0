import { expect } from "@playwright/test";
import { follow } from "../hydrated.ts";
import { memberOf, ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

test("a purchase is reversed on the player's page, once, and a Viewer only looks at it", async ({ page, browser }) => {
  const { slug, at, call, define } = await ownProject(page);
  await define({
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [
      ...[{ key: "voucher", name: "Coffee voucher", priceInPoints: 40, stock: 1, limitPerPlayer: 1 }],
      ...[{ key: "sample", name: "Sample", priceInPoints: 0 }],
    ].map((listing) => ({ ...listing, contents: [{ catalogItem: "coffee", value: 1 }] })),
  });
  const { key } = await call<{ key: string }>("keys/create", { name: "backend" });
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/v1/${path}`, { headers: { authorization: `Bearer ${key}` }, data });
    return { status: answer.status(), json: (await answer.json()) as { purchaseId: string } };
  };
  await post("players", { playerId: "ann" });
  await post("points/adjustments", { playerId: "ann", amount: 100, reason: "welcome" });
  const buy = (listing: string) => post(`marketplace-items/${listing}/purchases`, { playerId: "ann" });
  const { purchaseId } = (await buy("voucher")).json;
  await buy("sample");
  expect((await buy("voucher")).status).toBe(409);

  const viewer = await memberOf(browser, page, slug, "Viewer");
  await viewer.goto(at("/players/ann?tab=purchases"));
  await expect(viewer.getByRole("row", { name: /Coffee voucher/ })).toBeVisible();
  await expect(viewer.getByRole("button", { name: /Reverse purchase/ })).toHaveCount(0);

  await page.goto(at("/players/ann?tab=purchases"));
  const rows = page.getByRole("table", { name: "Purchases" }).getByRole("row");
  await expect(rows).toHaveText([/Listing/, /Sample/, /Coffee voucher/]);
  const dialog = page.getByRole("alertdialog");
  const ask = () => page.getByRole("button", { name: "Reverse purchase: Coffee voucher" }).click();
  await ask();
  await expect(dialog).toContainText("The player gets 40 points back.");
  const confirm = dialog.getByRole("button", { name: "Reverse purchase" });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel("Reason").fill("Bought by mistake");
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("40 points refunded. The balance is 100 points.")).toBeVisible();
  await expect(rows.nth(2)).toContainText(/Reversed.*Bought by mistake/);
  await expect(rows.nth(2).getByRole("link", { name: "Coffee voucher" })).toBeFocused();
  const tabs = page.getByRole("navigation", { name: "About this player" });
  await tabs.getByRole("link", { name: "Points" }).click();
  await expect(page.getByRole("row", { name: /Reversed purchase: Coffee voucher/ })).toContainText("+40");
  await expect(page.getByRole("row", { name: /^Purchase: Coffee voucher/ })).toContainText("−40");
  await page.goBack();

  // Stock and allowance permit another purchase. A second user reverses that one first, and this page says why it cannot.
  const again = (await buy("voucher")).json;
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(rows).toHaveCount(4);
  await ask();
  await call("marketplace/reverse", { purchaseId: again.purchaseId, reason: "By somebody else" });
  await dialog.getByLabel("Reason").fill("Too late");
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText("was reversed before; nothing is refunded twice");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(rows.nth(1)).toContainText("By somebody else");

  await follow(page, `/dashboard/${slug}/audit-log?subjectKind=purchase`);
  const changes = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
  await expect(changes).toHaveCount(2);
  await expect(changes.last()).toContainText(`reversed purchase ${purchaseId}`);
});
