import { expect, test } from "vitest";
import { parseJson, writeJson } from "../kernel/json.ts";
import { differencesIn } from "./difference.ts";

const lines = (before: string, after: string): string[] => {
  const [was, is] = [before, after].map((text) => parseJson(text) as object) as [object, object];
  return differencesIn(Object.keys(is), was, is).map(
    ({ path, before, after }) =>
      `${path.join("/")}: ${before === undefined ? "" : writeJson(before)} → ${after === undefined ? "" : writeJson(after)}`,
  );
};

test.each<[what: string, before: string, after: string, lines: string[]]>([
  ["a value", '{"active":true}', '{"active":false}', ["active: true → false"]],
  ["a place deep inside", '{"a":{"b":[{"c":1}]}}', '{"a":{"b":[{"c":2}]}}', ["a/b/0/c: 1 → 2"]],
  [
    "every digit of a number",
    '{"target":12345678901234567890.12345678}',
    '{"target":12345678901234567890.12345679}',
    ["target: 12345678901234567890.12345678 → 12345678901234567890.12345679"],
  ],
  [
    "what comes and goes",
    '{"images":{"a":"x","toString":"y"}}',
    '{"images":{"a":"x","b":"z"}}',
    ['images/toString: "y" → ', 'images/b:  → "z"'],
  ],
  ["an entry more", '{"rewards":[{"points":1}]}', '{"rewards":[{"points":1},{"points":2}]}', ['rewards/1:  → {"points":2}']],
  [
    "an entry with a key by its key, at any position",
    '{"properties":[{"key":"a","type":"String"},{"key":"b","required":false}]}',
    '{"properties":[{"key":"c"},{"key":"b","required":true}]}',
    ['properties/a: {"key":"a","type":"String"} → ', "properties/b/required: false → true", 'properties/c:  → {"key":"c"}'],
  ],
  [
    "the order of entries with keys where nothing else differs",
    '{"properties":[{"key":"a"},{"key":"b"}]}',
    '{"properties":[{"key":"b"},{"key":"a"}]}',
    ['properties: [{"key":"a"},{"key":"b"}] → [{"key":"b"},{"key":"a"}]'],
  ],
  ["a list of single values as a whole", '{"missions":["a","b"]}', '{"missions":["b","a","c"]}', ['missions: ["a","b"] → ["b","a","c"]']],
  [
    "from nothing to something",
    '{"rule":null,"l":[]}',
    '{"rule":{"segment":"vip"},"l":[{"key":"a"}]}',
    ['rule: null → {"segment":"vip"}', 'l: [] → [{"key":"a"}]'],
  ],
  [
    "a condition that takes another form",
    '{"rule":{"all":[{"segment":"a"},{"segment":"b"}]}}',
    '{"rule":{"all":[{"not":{"segment":"a"}},{"segment":"b"}]}}',
    ['rule/all/0/segment: "a" → ', 'rule/all/0/not:  → {"segment":"a"}'],
  ],
])("tells %s", (_, before, after, expected) => expect(lines(before, after)).toEqual(expected));
