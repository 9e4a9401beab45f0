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
    "at,actor,token,environment,action,subjectKind,subjectKey,changes\r\n" +
      `2026-01-01T00:00:00.000Z,${cell},,live,update,missions,first_order,[]\r\n`,
  ),
);

it("JSON has an entry a line", () => {
  const lines = toJsonLines([entry({}), entry({ actor: "bob" })])
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => (JSON.parse(line) as Entry).actor)).toEqual(["ann@acme.test", "bob"]);
});
