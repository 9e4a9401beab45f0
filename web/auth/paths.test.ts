import { expect, it } from "vitest";
import { safePath, signInPath } from "./paths.ts";

it.each<[given: unknown, safe: string]>([
  ["/dashboard/acme/live?q=1#top", "/dashboard/acme/live?q=1#top"],
  ["/invitation/abc", "/invitation/abc"],
  ["/dashboards", "/dashboard"],
  ["//evil.test/dashboard", "/dashboard"],
  ["https://evil.test/dashboard", "/dashboard"],
  ["/dashboard/../../sign-in", "/dashboard"],
  ["/dashboard/../invitation/abc", "/invitation/abc"],
  ["/\\evil.test", "/dashboard"],
  [["/dashboard/acme"], "/dashboard"],
  [null, "/dashboard"],
])("a sign-in on the way to %j redirects to %j", (given, safe) => expect(safePath(given)).toBe(safe));

it.each([
  [null, "/sign-in"],
  ["/dashboard", "/sign-in"],
  ["https://evil.test", "/sign-in"],
  ["/dashboard/acme/live", "/sign-in?from=%2Fdashboard%2Facme%2Flive"],
])("the sign-in page for %j is %j", (wanted, path) => expect(signInPath(wanted)).toBe(path));

it("an address that is too long for a response header is not remembered", () => {
  expect(signInPath(`/dashboard/demo?q=${"%".repeat(12_000)}`)).toBe("/sign-in");
});
