import { expect, test } from "vitest";
import { handingOverOf } from "./handing-over.ts";

const notification = (status: "Pending" | "Held" | "Delivered" | "Failed" | null) => ({
  notification: status === null ? null : { status },
});

test.each([
  [["Delivered"], "Delivered"],
  [["Delivered", "Delivered"], "Delivered"],
  [[null], "NotSent"],
  [["Delivered", null], "NotSent"],
  [["Held"], "Waiting"],
  [[null, "Pending"], "Waiting"],
  [["Pending", "Failed", null], "Failed"],
] as const)("of entries notification as %j the purchase is %s", (statuses, expected) => {
  expect(handingOverOf(statuses.map(notification))).toBe(expected);
});
