import { expect, test } from "vitest";
import { headOf, linesOf } from "./format.ts";

test.each([
  ["plain", "plain"],
  ['a "b", c', '"a ""b"", c"'],
  ["=1+1", "'=1+1"],
  ["-1+1", "'-1+1"],
  ["@sum(a,b)", `"'@sum(a,b)"`],
  ["＝1+1", "'＝1+1"],
  ["two\nlines", '"two\nlines"'],
])("a spreadsheet takes %j for a text", (text, cell) => {
  expect(linesOf("csv", ["a", "b"], [JSON.stringify({ a: text })])).toBe(`${cell},\r\n`);
});

test("numbers keep every digit and their sign, objects are JSON", () => {
  const row = '{"a":-12345678901234567890.12,"b":{"n":1},"c":null}';
  expect(linesOf("csv", ["a", "b", "c"], [row])).toBe('-12345678901234567890.12,"{""n"":1}",\r\n');
  expect(linesOf("jsonl", ["a"], [row])).toBe(`${row}\n`);
});

test("a file for spreadsheets is marked as UTF-8; one for programs is not", () => {
  expect(headOf("csv", ["a", "b"])).toBe("\uFEFFa,b\r\n");
  expect(headOf("jsonl", ["a", "b"])).toBe("");
});
