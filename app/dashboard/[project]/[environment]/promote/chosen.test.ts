import { describe, expect, test } from "vitest";
import { choosing, comingAlong, type Divergence, nameOf } from "./chosen.ts";
import { countWords } from "./names.ts";
import { pathWords, valueLines } from "./place-words.ts";

const divergence = (key: string, ...needs: string[]): Divergence => ({
  kind: "missions",
  key,
  sign: "+",
  name: key,
  differences: [],
  needs: needs.map((need) => ({ kind: "segments", key: need })),
});

describe("choosing", () => {
  const all = [divergence("a", "vip"), divergence("b", "vip", "rich"), divergence("c")];

  test("brings along what the chosen need, and says for whom", () => {
    const along = comingAlong(all, new Set(["missions/a", "missions/b"]));
    expect([...along].map(([name, users]) => [name, users.map(nameOf)])).toEqual([
      ["segments/vip", ["missions/a", "missions/b"]],
      ["segments/rich", ["missions/b"]],
    ]);
    expect(comingAlong(all, new Set(["missions/c"])).size).toBe(0);
  });

  test("adds and takes away, whatever was chosen before", () => {
    const some = choosing(new Set(["missions/a"]), all.slice(1), true);
    expect([...some]).toEqual(["missions/a", "missions/b", "missions/c"]);
    expect([...choosing(some, all.slice(0, 2), false)]).toEqual(["missions/c"]);
  });
});

test("counts are told in words, those of nothing left out", () => {
  expect(countWords([{ sign: "+" }, { sign: "-" }, { sign: "+" }])).toBe("2 new, 1 switched off");
});

test.each([
  [["name", "texts", "en"], "Name › en"],
  [["objectiveOrder"], "Objective order"],
  [["rewards", "0", "points"], "Rewards › #1 › points"],
  [["properties", "drink_size", "type"], "Properties › drink_size › type"],
])("a place is told in words: %j", (path, words) => expect(pathWords(path)).toBe(words));

test.each<[string | null, string[]]>([
  ['"Coffee"', ["Coffee"]],
  ["12345678901234567890.5", ["12345678901234567890.5"]],
  ["null", ["nothing"]],
  [null, ["nothing"]],
  ['""', ["(empty)"]],
  ["[]", ["none"]],
  ["{}", ["none"]],
  ["true", ["yes"]],
  ['["a","b"]', ["a, b"]],
  ['{"default":"en","texts":{"en":"Coffee","nl":"Koffie"}}', ["En: Coffee", "Nl: Koffie"]],
  ['[{"kind":"Points","points":12345678901234567890.5,"where":null}]', ["#1 › kind: Points", "#1 › points: 12345678901234567890.5"]],
  [`{"icon":"${"ab".repeat(32)}"}`, ["Icon: uploaded image abababab"]],
  ['"GreaterThan"', ["is over"]],
  [
    '{"rule":{"all":[{"attribute":"tier","operator":"EqualTo","value":"gold"},{"points":"Balance","operator":"GreaterThan","value":10}]}}',
    ["Rule: Tier is gold and their points balance is over 10"],
  ],
  [
    '[{"description":{"default":"en","texts":{"en":"Five"}},"event":"order","where":null,"measure":{"kind":"Count"},"operator":"GreaterThanOrEqualTo","target":5}]',
    ["#1: Order at least 5 times", "#1 › description › en: Five"],
  ],
])("a value is told part by part: %s", (json, lines) =>
  expect(valueLines(json).map(({ path, text }) => (path ? `${path}: ${text}` : text))).toEqual(lines),
);
