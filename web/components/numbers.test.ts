import { instantInWords } from "../../server/model/kernel/dates.ts";
import { expect, it } from "vitest";
import { capitalised, formatted, plural, withThousands } from "../../server/model/kernel/thousands.ts";

it.each<[value: unknown, text: string]>([
  [1000, "1,000"],
  [1234.5678, "1,234.568"],
  [0.00000002, "0.00000002"],
  [9007199254740991, "9,007,199,254,740,991"],
  [0, "0"],
  [undefined, "–"],
  [null, "–"],
  ["daily", "daily"],
])("a list shows %j as %j", (value, text) => expect(formatted(value)).toBe(text));

it("counts are followed by their noun, in the plural unless there is one", () =>
  expect([plural(1, "point"), plural(1000, "point"), plural(0, "entry", "entries")]).toEqual(["1 point", "1,000 points", "0 entries"]));

it("digits are grouped, and none is lost", () =>
  expect(withThousands("12345678901234567890.12345")).toBe("12,345,678,901,234,567,890.12345"));

it("an instant is formatted in a zone", () =>
  expect(instantInWords("2026-03-29T07:30:00.000Z", "Europe/Brussels")).toBe("29 Mar 2026, 09:30"));

it("September has the same letters in an instant as in a date, on a server and in a browser", () =>
  expect(instantInWords("2026-09-04T22:30:00.000Z", "Europe/Brussels")).toBe("5 Sep 2026, 00:30"));

it.each([
  ["mission", "Mission"],
  ["", ""],
])("%j begins a sentence as %j", (words, begun) => expect(capitalised(words)).toBe(begun));
