import { expect, test } from "vitest";
import { pathInWords } from "./labels.ts";
import { valueLines } from "./value-lines.ts";

test.each([
  [["name", "texts", "en"], "Name in English"],
  [["objectiveOrder"], "Objective order"],
  [["rewards", "0", "points"], "Reward 1, points"],
  [["properties", "drink_size", "type"], "Properties, drink_size, type"],
])("a place in words: %j", (path, words) => expect(pathInWords(path)).toBe(words));

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
  ['{"default":"en","texts":{"en":"Coffee","nl":"Koffie"}}', ["English: Coffee", "Dutch: Koffie"]],
  ['[{"kind":"Points","points":12345678901234567890.5,"where":null}]', ["#1, kind: Points", "#1, points: 12345678901234567890.5"]],
  [`{"icon":"${"ab".repeat(32)}"}`, ["Icon: uploaded image abababab"]],
  ['"GreaterThan"', ["is more than"]],
  [
    '{"rule":{"all":[{"attribute":"tier","operator":"EqualTo","value":"gold"},{"points":"Balance","operator":"GreaterThan","value":10}]}}',
    ["Rule: Tier is gold and their points balance is more than 10"],
  ],
  [
    '[{"description":{"default":"en","texts":{"en":"Five"}},"event":"order","where":null,"measure":{"kind":"Count"},"operator":"GreaterThanOrEqualTo","target":5}]',
    ["#1: Order at least 5 times", "#1, description in English: Five"],
  ],
])("a value is shown part by part: %s", (json, lines) =>
  expect(valueLines(json).map(({ path, text }) => (path ? `${path}: ${text}` : text))).toEqual(lines),
);
