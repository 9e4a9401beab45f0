import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";
import { welcome } from "./first-start.ts";

const demo = { slug: "demo", sandboxKey: "svc_sbox_0", playerId: "sofia" };
const owner = { email: "owner@example.com", password: "generated" };

test("a first start shows requests with the key filled in: one about a demo customer, three for one's own data", () => {
  const text = welcome(readSettings({ PORT: "4000" }), { owner: null, demo });
  const requests = text.split("\n").filter((line) => line.startsWith("  curl 'http://localhost:4000/v1/"));
  expect(requests.map((line) => /playerId":"(\w+)|PlayerId=(\w+)/.exec(line)?.slice(1).join(""))).toEqual(["sofia", "zoe", "zoe", "zoe"]);
  expect(requests.every((line) => line.includes("'Authorization: Bearer svc_sbox_0'"))).toBe(true);
});

test("secrets are shown on the first start only, and a configured password is not repeated", () => {
  expect(welcome(readSettings({}), { owner, demo })).toMatch(/generated[^]*svc_sbox_0/);
  expect(welcome(readSettings({ OWNER_PASSWORD: "set-by-hand" }), { owner: { ...owner, password: "set-by-hand" }, demo })).not.toContain(
    "set-by-hand",
  );
  expect(welcome(readSettings({}), { owner: null, demo: null })).not.toMatch(/password|svc_/i);
});

test("a start that is still building the pages says that the API answers already", () => {
  expect(welcome(readSettings({}), { owner: null, demo: null }, false)).toContain("The API answers already.");
  expect(welcome(readSettings({}), { owner: null, demo: null })).not.toContain("built");
});

test("a start without pages shows no address of a page", () => {
  const text = welcome(readSettings({ PAGES: "off" }), { owner, demo });
  expect(text).not.toMatch(/\/dashboard|\/docs/);
  expect(text).toContain("/v1/openapi.json");
});
