import { describe, expect, test } from "vitest";
import { withChoice, dependenciesOf, type Divergence, choiceKey } from "./chosen.ts";
import { countWords } from "./names.ts";

const divergence = (key: string, ...needs: string[]): Divergence => ({
  kind: "missions",
  key,
  sign: "+",
  name: key,
  ...{ differences: [], fields: 0, isLong: false },
  parts: [],
  needs: needs.map((need) => ({ kind: "segments", key: need })),
});

describe("choosing", () => {
  const all = [divergence("a", "vip"), divergence("b", "vip", "rich"), divergence("c")];

  test("includes the definitions that the chosen ones need, and names those", () => {
    const dependencies = dependenciesOf(all, new Set(["missions/a", "missions/b"]));
    expect([...dependencies].map(([name, users]) => [name, users.map(choiceKey)])).toEqual([
      ["segments/vip", ["missions/a", "missions/b"]],
      ["segments/rich", ["missions/b"]],
    ]);
    expect(dependenciesOf(all, new Set(["missions/c"])).size).toBe(0);
  });

  test("adds and removes, for any previous choice", () => {
    const some = withChoice(new Set(["missions/a"]), all.slice(1), true);
    expect([...some]).toEqual(["missions/a", "missions/b", "missions/c"]);
    expect([...withChoice(some, all.slice(0, 2), false)]).toEqual(["missions/c"]);
  });
});

test("counts are in words, without zeros", () => {
  expect(countWords([{ sign: "+" }, { sign: "-" }, { sign: "+" }])).toBe("2 new, 1 switched off");
});
