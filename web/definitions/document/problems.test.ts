import { describe, expect, it } from "vitest";
import { blankDraft } from "../kinds/drafts.ts";
import type { Draft } from "./draft.ts";
import { problemsOf } from "./problems.ts";

const text = (words: string) => ({ default: "en", texts: { en: words } });

const order = {
  description: text(""),
  event: "order_placed",
  where: null,
  measure: { kind: "Count" },
  operator: "GreaterThanOrEqualTo",
  target: 5,
};

const mission = (changes: Draft = {}): Draft => ({
  ...blankDraft("missions", "en"),
  key: "five_orders",
  name: text("Five orders"),
  objectives: [order],
  rewards: [{ kind: "Points", points: 50 }],
  ...changes,
});

describe("the problems of a draft", () => {
  it("are none if the definition has the shape of its kind", () => {
    expect(problemsOf("missions", mission())).toEqual([]);
  });

  it("name every missing value at its field", () => {
    expect(problemsOf("missions", blankDraft("missions", "en"))).toEqual([
      { pointer: "/key", message: "Enter a key." },
      { pointer: "/name/texts/en", message: "Enter a name." },
      { pointer: "/objectives", message: "Add at least one objective." },
      { pointer: "/rewards", message: "Add at least one reward." },
    ]);
  });

  it.each<[what: string, changes: Draft, pointer: string, message: string]>([
    ["an event that is not chosen", { objectives: [{ ...order, event: null }] }, "/objectives/0/event", "Required."],
    ["a target that is empty", { objectives: [{ ...order, target: null }] }, "/objectives/0/target", "Enter a value."],
    [
      "a condition inside a group",
      { objectives: [{ description: text(""), any: [order, { ...order, event: null }] }] },
      "/objectives/0/any/1/event",
      "Required.",
    ],
    [
      "a filter's property",
      { objectives: [{ ...order, where: { all: [{ property: null, operator: "EqualTo", value: 1 }] } }] },
      "/objectives/0/where/all/0/property",
      "Required.",
    ],
    ["a contrary of nothing", { audience: { rule: { not: null }, otherwise: "Locked" } }, "/audience/rule/not", "Add a condition."],
    [
      "a slot with too long a name",
      { images: { ["x".repeat(101)]: "https://example.com/a.png" } },
      `/images/${"x".repeat(101)}`,
      "Its name must have at most 100 characters.",
    ],
    ["an empty group", { audience: { rule: { all: [] }, otherwise: "Locked" } }, "/audience/rule/all", "Add at least one condition."],
    [
      "a measure's property",
      { objectives: [{ ...order, measure: { kind: "Sum", property: null } }] },
      "/objectives/0/measure/property",
      "Required.",
    ],
    ["points that are no number", { rewards: [{ kind: "Points", points: NaN }] }, "/rewards/0/points", "Enter a number, such as 1000."],
    [
      "more points than can be kept",
      { rewards: [{ kind: "Points", points: 1e20 }] },
      "/rewards/0/points",
      "At most 9,007,199,254,740,991.",
    ],
    ["an image without an address", { images: { icon: "" } }, "/images/icon", "Enter a URL that starts with https://, or upload an image."],
    [
      "a window that ends before it begins",
      { window: { startsAt: "2026-02-01T00:00:00Z", endsAt: "2026-01-01T00:00:00Z" } },
      "/window/endsAt",
      "Must be later than the start.",
    ],
  ])("find %s where it stands", (_, changes, pointer, message) => {
    expect(problemsOf("missions", mission(changes))).toEqual([{ pointer, message }]);
  });

  it.each<[what: string, kind: "streaks" | "leaderboards", changes: Draft, pointers: string[]]>([
    ["a streak that counts nothing", "streaks", {}, ["/event"]],
    ["a streak over no metric", "streaks", { metric: "", measure: { kind: "Sum" } }, ["/metric"]],
    ["a streak over an event", "streaks", { event: "order_placed" }, []],
    ["a board over no event", "leaderboards", {}, ["/event"]],
    ["a board over no attribute", "leaderboards", { scoreSource: "Attribute", measure: null }, ["/attribute"]],
    [
      "a board over a sum of nothing",
      "leaderboards",
      { event: "order_placed", measure: { kind: "Sum", property: null } },
      ["/measure/property"],
    ],
    [
      "a board over a metric's value",
      "leaderboards",
      { scoreSource: "Metric", metric: "steps", measure: { kind: "Sum", property: null } },
      [],
    ],
    ["a board over points", "leaderboards", { scoreSource: "Points", measure: null }, []],
  ])("of %s are where the choice is made", (_, kind, changes, pointers) => {
    const draft = { ...blankDraft(kind, "en"), key: "one", name: text("One"), ...changes };
    expect(problemsOf(kind, draft).map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
