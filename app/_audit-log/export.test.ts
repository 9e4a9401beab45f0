import { expect, it } from "vitest";
import { toCsv, toJsonLines } from "./export.ts";
import type { Entry } from "./filter.ts";

const entry = (changes: Partial<Entry>) =>
  ({
    at: "2026-01-01T00:00:00.000Z",
    actor: "ann@acme.test",
    token: null,
    environment: "live",
    action: "update",
    subjectKind: "missions",
    subjectKey: "first_order",
    changes: [],
    id: "7",
    parts: null,
    partOf: null,
    ...changes,
  }) as Entry;

it.each([
  ["plain", "plain"],
  ['a "b", c', '"a ""b"", c"'],
  ["=1+1", "'=1+1"],
  ["@sum(a,b)", `"'@sum(a,b)"`],
  ["two\nlines", '"two\nlines"'],
])("a spreadsheet takes %j for a text", (actor, cell) =>
  expect(toCsv([entry({ actor })])).toBe(
    "at,actor,token,environment,action,subjectKind,subjectKey,changes,id,partOf\r\n" +
      `2026-01-01T00:00:00.000Z,${cell},,live,update,missions,first_order,[],7,\r\n`,
  ),
);

it("a part names the entry that it is part of", () =>
  expect(toCsv([entry({ partOf: { id: "3", action: "promote" } })])).toContain(",[],7,3\r\n"));

it("JSON has an entry a line", () => {
  const lines = toJsonLines([entry({}), entry({ actor: "bob" })])
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => (JSON.parse(line) as Entry).actor)).toEqual(["ann@acme.test", "bob"]);
});
