import { expect, it } from "vitest";
import { heldInWords, sentAfterReversal } from "../deliveries/delivery-state.tsx";
import { deliveriesInWords, rotationInWords } from "./endpoint-state.tsx";

it.each([
  [0, "0 deliveries"],
  [1, "1 delivery"],
  [999, "999 deliveries"],
  [1000, "1,000 or more deliveries"],
])("%i deliveries read as %j", (count, words) => expect(deliveriesInWords(count)).toBe(words));

it.each<[Parameters<typeof heldInWords>[0], RegExp | null]>([
  [{ status: "Held", givenUp: null }, /^Held because/],
  [{ status: "Failed", givenUp: "Discarded" }, /^Discarded while/],
  [{ status: "Failed", givenUp: "HeldTooLong" }, /^Expired after 30 days/],
  [{ status: "Failed", givenUp: null }, null],
  [{ status: "Delivered", givenUp: null }, null],
])("a delivery with %j is explained by %s", (delivery, words) => {
  const said = heldInWords(delivery);
  if (words === null) expect(said).toBeNull();
  else expect(said).toMatch(words);
});

it.each<[Parameters<typeof sentAfterReversal>[0], RegExp | null]>([
  [["Delivered", "Held"], /^ The held webhook .* discard the delivery/],
  [["Delivered", "Pending"], /^ The pending webhook .* still sent/],
  [["Delivered", "Failed", undefined], null],
])("a reversal of a purchase with webhooks %j warns %s", (statuses, words) => {
  const said = sentAfterReversal(statuses);
  if (words === null) expect(said).toBeNull();
  else expect(said).toMatch(words);
});

it("a second rotation within a day says that the secret before ends now", () => {
  expect(rotationInWords(null)).toContain("For 24 hours webhooks carry both signatures");
  expect(rotationInWords("30 Nov, 10:00")).toMatch(/the one before is valid until 30 Nov, 10:00.* that one ends now/);
});
