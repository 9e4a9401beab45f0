import { expect, test } from "vitest";
import { handingOverOf } from "./handing-over.ts";

const told = (status: "Pending" | "Held" | "Delivered" | "Failed" | null) => ({ told: status === null ? null : { status } });

test.each([
  [["Delivered"], "Delivered"],
  [["Delivered", "Delivered"], "Delivered"],
  [[null], "NotSent"],
  [["Delivered", null], "NotSent"],
  [["Held"], "Waiting"],
  [[null, "Pending"], "Waiting"],
  [["Pending", "Failed", null], "Failed"],
] as const)("of entries told as %j the purchase is %s", (statuses, expected) => {
  expect(handingOverOf(statuses.map(told))).toBe(expected);
});
