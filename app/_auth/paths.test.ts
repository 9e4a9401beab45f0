import { expect, test } from "vitest";
import { signInPath } from "./paths.ts";

test.each([
  ["/dashboard/demo/sandbox/missions", "/sign-in?from=%2Fdashboard%2Fdemo%2Fsandbox%2Fmissions"],
  ["/dashboard", "/sign-in"],
  [null, "/sign-in"],
  ["https://evil.test/dashboard", "/sign-in"],
])("a stranger who wanted %s goes on to %s", (wanted, path) => {
  expect(signInPath(wanted)).toBe(path);
});

test("an address that would not fit into the header of an answer is not remembered", () => {
  expect(signInPath(`/dashboard/demo?q=${"%".repeat(12_000)}`)).toBe("/sign-in");
});
