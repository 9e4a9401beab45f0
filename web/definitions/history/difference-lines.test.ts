import { expect, test } from "vitest";
import { KEYS_ALONE } from "#server/model/rules/describe.ts";
import { differenceLines, type Field } from "./difference-lines.ts";

const scope = { ...KEYS_ALONE, nameOf: (_: string, key: string) => ({ order: "Order placed" })[key] ?? key, timeZone: "Europe/Amsterdam" };
const field = (path: string, before: unknown, after: unknown): Field => ({
  path: path.split("/"),
  before: before === undefined ? null : JSON.stringify(before),
  after: after === undefined ? null : JSON.stringify(after),
});
const objective = (target: number, description: unknown = null) => ({
  ...{ description, event: "order", where: null, measure: { kind: "Count" } },
  ...{ operator: "GreaterThanOrEqualTo", target },
});
const English = (text: string) => ({ default: "en", texts: { en: text } });
const points = (points: number) => ({ kind: "Points", points });

test.each<[what: string, differences: Field[], parts: Field[], lines: string[]]>([
  ["a value", [field("priceInPoints", 45, 40)], [], ["Price in points: 45 → 40"]],
  ["a text in a language", [field("name/texts/nl", "Koffie", "Kop")], [], ["Name in Dutch: Koffie → Kop"]],
  ["a text that comes to be", [field("description", undefined, English("One"))], [], ["Description: nothing → One"]],
  [
    "a reward as a sentence",
    [field("rewards/0/points", 45, 40)],
    [field("rewards/0", points(45), points(40))],
    ["Reward 1: 45 points → 40 points"],
  ],
  [
    "two fields of an objective as one sentence, by its names",
    [field("objectives/0/target", 5, 6), field("objectives/0/operator", "GreaterThan", "GreaterThanOrEqualTo")],
    [field("objectives/0", objective(5), objective(6))],
    ["Objective 1: Order placed at least 5 times → Order placed at least 6 times (2)"],
  ],
  [
    "what the sentence leaves out by itself",
    [field("objectives/0/description", English("Five"), English("Six"))],
    [field("objectives/0", objective(5, English("Five")), objective(5, English("Six")))],
    ["Objective 1, description: Five → Six"],
  ],
  [
    "an instant on the project's clocks",
    [field("window/endsAt", null, "2026-07-01T10:00:00Z")],
    [],
    ["Availability, end: nothing → 1 Jul 2026, 12:00"],
  ],
  [
    "a choice as the form calls it",
    [field("optIn", "Automatic", "Manual"), field("active", true, false)],
    [],
    ["Entry: automatic → opt-in", "Active: on → off"],
  ],
  ["a list of sentences", [field("rewards", undefined, [points(1), points(2)])], [], ["Rewards: nothing → #1: 1 point; #2: 2 points"]],
])("%s", (_, differences, parts, lines) =>
  expect(
    differenceLines({ differences, parts }, scope).map(({ place, before, after, fields }) => {
      const [was, is] = [before, after].map((values) => values.map(({ path, text }) => (path ? `${path}: ${text}` : text)).join("; "));
      return `${place}: ${was} → ${is}${fields.length > 1 ? ` (${fields.length})` : ""}`;
    }),
  ).toEqual(lines),
);
