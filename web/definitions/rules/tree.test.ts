import { describe, expect, it } from "vitest";
import type { FilterDraft } from "#server/model/rules/filter.ts";
import { dissolved, grouped, moved, recombined, withRules } from "./tree.ts";

const test = (property: string): FilterDraft => ({ property, operator: "EqualTo", value: 1 });
const [a, b] = [test("a"), test("b")];

describe("a tree of rules", () => {
  it.each<[what: string, changed: unknown, to: unknown]>([
    ["all become any", recombined<FilterDraft>({ all: [a, b] }, "any"), { any: [a, b] }],
    ["one becomes its contrary", recombined<FilterDraft>({ all: [a] }, "not"), { not: a }],
    ["not several is not all of them", recombined<FilterDraft>({ all: [a, b] }, "not"), { not: { all: [a, b] } }],
    ["and back", recombined<FilterDraft>({ not: { all: [a, b] } }, "all"), { all: [a, b] }],
    ["a rule is put in a group", grouped<FilterDraft>(a, "any", [b]), { any: [a, b] }],
    ["a group is dissolved", dissolved<FilterDraft>({ all: [a, b] }), [a, b]],
    [
      "a group has other rules and keeps the rest",
      withRules<FilterDraft>("any", [b], { any: [a, b], description: "Gold" }),
      { description: "Gold", any: [b] },
    ],
    ["what is the contrary of a rule changes", withRules<FilterDraft>("not", [b], { not: a }), { not: b }],
    ["a rule moves", moved([1, 2, 3], 0, 2), [2, 3, 1]],
    ["a rule does not leave its list", moved([1, 2], 1, 2), [1, 2]],
  ])("%s", (_, changed, to) => expect(changed).toEqual(to));

  it("an objective's description stays with its position", () => {
    const described = { description: "Gold", attribute: "tier", operator: "EqualTo", target: "gold" };
    const { description: _, ...bare } = described;
    const group = grouped<object>(described, "all");
    expect(group).toEqual({ description: "Gold", all: [bare] });
    expect(recombined<object>(group as { all: object[] }, "any")).toEqual({ description: "Gold", any: [bare] });
  });
});
