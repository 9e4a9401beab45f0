import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";
import { welcome } from "./welcome.ts";

const demo = { slug: "demo", sandboxKey: "svc_sbox_0" };
const owner = { email: "owner@example.com", password: "generated" };

test("secrets are shown on the first start only, and a password that was set is not repeated", () => {
  expect(welcome(readSettings({}), { owner, demo })).toMatch(/generated[^]*svc_sbox_0/);
  expect(welcome(readSettings({ OWNER_PASSWORD: "set-by-hand" }), { owner: { ...owner, password: "set-by-hand" }, demo })).not.toContain(
    "set-by-hand",
  );
  expect(welcome(readSettings({}), { owner: null, demo: null })).not.toMatch(/password|svc_/i);
});
