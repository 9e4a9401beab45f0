import { expect, test } from "vitest";
import { nameProblem, printable } from "./input-text.ts";

test.each([
  ["a bell, an escape, a tab and an end of line", "\u0007\u001b\t\n"],
  ["C1 controls, which some terminals obey", "\u009b31m".slice(0, 1)],
  ["what turns the direction of writing", "\u202e\u2066"],
  ["a soft hyphen, a zero-width space and a byte order mark", "\u00ad\u200b\ufeff"],
  ["private use, and half a character", "\ue000\ud800"],
  ["invisible tags", "\u{e0041}"],
])("a name has none of these: %s", (_, characters) => {
  for (const one of characters) {
    expect(printable(`a${one}b`)).toBe("a\ufffdb");
    expect(nameProblem("The name", `a${one}b`, 200)).toBe("The name must have no control or other invisible characters.");
  }
});

test.each(["Kasse 3", "Ünïcødé", "日本語", "نام‌ها", "👩‍🍳 Küche", "a😀"])("%s is a name", (name) => {
  expect(nameProblem("The name", name, 200)).toBeNull();
  expect(printable(name)).toBe(name);
});

test("a name has a bounded number of characters, not counting the space around it", () => {
  expect([nameProblem("It", "   ", 3), nameProblem("It", " abc\n", 3), nameProblem("It", "😀😀😀😀", 3)]).toEqual([
    "It must have 1 to 3 characters.",
    null,
    "It must have 1 to 3 characters.",
  ]);
});
