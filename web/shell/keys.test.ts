import { expect, it, test } from "vitest";
import { actionOf, goKeys } from "./keys.ts";

it.each([
  ["?", "help"],
  ["/", "search"],
  ["c", "create"],
  ["e", "edit"],
  [".", "act"],
  ["g", "go"],
  ["m", null],
  ["C", null],
])("%s alone is %j", (key, action) => expect(actionOf(key, false, "acme", "live")).toBe(action));

it.each([
  ["h", "/dashboard/acme/live"],
  ["m", "/dashboard/acme/live/missions"],
  ["p", "/dashboard/acme/live/players"],
  ["u", "/dashboard/acme/audit-log"],
])("g %s goes to %s", (key, to) => expect(actionOf(key, true, "acme", "live")).toEqual({ to }));

test("each screen has a letter of its own, and other letters go nowhere", () => {
  const letters = goKeys("acme", "live").map(({ shortcut }) => shortcut);
  expect(new Set(letters).size).toBe(letters.length);
  expect(actionOf("?", true, "acme", "live")).toBeNull();
});
