import { describe, expect, it } from "vitest";
import { numberOf, plainNumberOf, shows, textOfNumber } from "./numbers.ts";

describe("a number field", () => {
  it.each([
    ["5", "5"],
    [" 10.50 ", "10.5"],
    ["+7", "7"],
    [".5", "0.5"],
    ["-.5", "-0.5"],
    ["5.", "5"],
    ["007", "7"],
    ["12345678901234567890.12345678", "12345678901234567890.12345678"],
    ["0.00000001", "0.00000001"],
    ["1e2", "100"],
  ])("%j is %s, digit for digit", (typed, text) => expect(textOfNumber(numberOf(typed))).toBe(text));

  it("is null while empty, and invalid while it is no number", () => {
    expect(numberOf(" ")).toBeNull();
    for (const text of ["-", "ten", "1.2.3", "5 euros", "1.000", "-10.000"]) expect(numberOf(text)).toBeNaN();
  });

  it("is a plain number where the service takes no other", () => {
    expect(["", "ten", "10.000"].map(plainNumberOf)).toEqual([NaN, NaN, NaN]);
    expect(["10000", ".5", "0.12345678901234567"].map(plainNumberOf)).toEqual([10000, 0.5, 0.12345678901234567]);
  });

  it("is not rewritten while it is typed", () => {
    expect(shows("10.", 10)).toBe(true);
    expect(shows("1.50", 1.5)).toBe(true);
    expect(shows("-", NaN)).toBe(true);
    expect(shows("", null)).toBe(true);
    expect(shows("5", null)).toBe(false);
    expect(shows("5", 6)).toBe(false);
  });
});
