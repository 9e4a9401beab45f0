import { describe, expect, test } from "vitest";
import { BEGINNING, type Format, readPiece, type ReadLine, Unreadable } from "./reading.ts";

/** Reads a file in pieces of this many characters. */
function read(format: Format, text: string, size = text.length): ReadLine[] {
  const lines: ReadLine[] = [];
  let reading = BEGINNING;
  for (let from = 0; from < text.length; from += size) {
    const piece = readPiece(format, reading, text.slice(from, from + size), from + size >= text.length);
    lines.push(...piece.lines);
    ({ reading } = piece);
  }
  return lines;
}

const CSV = '\uFEFFplayerId,name,note\r\np1,"Ann, B.","says ""hi""\nand goes"\r\n\r\np2,Bob\r\np3,,"x"';

test("however a file is cut into pieces, its lines are the same", () => {
  const whole = read("csv", CSV);
  expect(whole).toEqual([
    { line: 2, record: { playerId: "p1", name: "Ann, B.", note: 'says "hi"\nand goes' } },
    { line: 5, record: { playerId: "p2", name: "Bob" } },
    { line: 6, record: { playerId: "p3", note: "x" } },
  ]);
  for (let size = 1; size < CSV.length; size++) expect(read("csv", CSV, size), `pieces of ${size}`).toEqual(whole);
});

test("line ends of both kinds, and within cells, cost no line; each is named by where it begins", () => {
  const text = 'a,b\r\n1,"x\r\ny"\n2,"p\rq"\r\n\n3,z\n4,"v\nw"\r\n5,u\n';
  const whole = read("csv", text);
  expect(whole).toEqual([
    { line: 2, record: { a: "1", b: "x\r\ny" } },
    { line: 4, record: { a: "2", b: "p\rq" } },
    { line: 6, record: { a: "3", b: "z" } },
    { line: 7, record: { a: "4", b: "v\nw" } },
    { line: 9, record: { a: "5", b: "u" } },
  ]);
  for (let size = 1; size < text.length; size++) expect(read("csv", text, size), `pieces of ${size}`).toEqual(whole);
  expect(read("csv", "a,b\r1,x\r2,y")).toMatchObject([{ line: 2 }, { line: 3 }]);
});

test("the delimiter of a spreadsheet, a semicolon or a tab, is detected from the first line", () => {
  expect(read("csv", "playerId;note\np1;a,b\n")).toEqual([{ line: 2, record: { playerId: "p1", note: "a,b" } }]);
  expect(read("csv", "playerId\tnote\np1\ta\n")).toEqual([{ line: 2, record: { playerId: "p1", note: "a" } }]);
});

test.each([",", ";", "\t"])("a line before the header that names the delimiter %j, as Excel writes it, is no header", (delimiter) => {
  const text = ["sep=", "\r\nplayerId", "note\r\np1", "a\r\nsep=", "b\r\n"].join(delimiter);
  const whole = read("csv", text);
  expect(whole).toEqual([
    { line: 3, record: { playerId: "p1", note: "a" } },
    { line: 4, record: { playerId: "sep=", note: "b" } },
  ]);
  for (let size = 1; size < text.length; size++) expect(read("csv", text, size), `pieces of ${size}`).toEqual(whole);
});

test("rows without a value are no lines, and an empty one before the header, or a quoted name with commas, does not hide the delimiter", () => {
  const text = '\r\n"player, by id";note\r\np1;a\r\n;\r\n ; \r\np2;b\r\n;\r\n';
  const whole = read("csv", text);
  expect(whole).toEqual([
    { line: 3, record: { "player, by id": "p1", note: "a" } },
    { line: 6, record: { "player, by id": "p2", note: "b" } },
  ]);
  for (let size = 1; size < text.length; size++) expect(read("csv", text, size), `pieces of ${size}`).toEqual(whole);
});

test("a JSON line keeps every digit; a line that is not an object is refused alone", () => {
  const lines = read("jsonl", '{"n":12345678901234567890.12}\n\n[1]\n{"n":\n', 7);
  expect(JSON.stringify(lines[0])).toBe('{"line":1,"record":{"n":12345678901234567890.12}}');
  expect(lines.slice(1)).toEqual([
    { line: 3, text: "[1]", problem: "The line is not a JSON object." },
    { line: 4, text: '{"n":', problem: "The line is not valid JSON." },
  ]);
});

describe("an unreadable file is refused with the position", () => {
  test.each([
    ["a quote that is never closed", 'playerId\np1\n\n"p2\np3\n', "A quote that opens in line 4 is never closed"],
    [
      "one in a file of Windows",
      'playerId,name\r\np1,"Ann\r\nB"\r\nü2,"Ann\r\np3,B\r\np4,B',
      "A quote that opens in line 4 is never closed",
    ],
    ["one after a cell with a carriage return", 'playerId,name\np1,"A\rB"\n"p2\n', "A quote that opens in line 3 is never closed"],
    ["a quote in the wrong place", 'playerId,name\np1,A"nn\n', "Line 2 has a quote in the wrong place"],
    ["one that another cell seems to close", 'playerId,name\r\np1,"Ann\r\np2,B\r\np3,"Bob"\r\n', "Line 2 has a quote in the wrong place"],
    ["a column twice", "playerId,a,a\n", "The first line has the column a twice."],
  ])("%s", (_, text, words) => {
    expect(() => read("csv", text)).toThrow(Unreadable);
    expect(() => read("csv", text)).toThrow(words);
  });

  test("a line that never ends is refused once it is too long", () => {
    expect(() => read("csv", `playerId\n"${"x".repeat(500_000)}`, 100_000)).toThrow("Line 2 is too long");
  });

  test("a line with more cells than columns is refused alone", () => {
    expect(read("csv", "playerId\np1,x\np2\n")).toMatchObject([{ line: 2, problem: expect.stringContaining("2 cells") }, { line: 3 }]);
  });
});
