import { expect, test } from "vitest";
import { decodePartition, encodePartition } from "./state.ts";

const short = (seq: number, at: number, ...values: unknown[]) => ({
  live: [
    {
      number: 0,
      startedAt: at,
      accepted: { seq, at },
      period: null,
      objectives: values.map((value) => ({ isSatisfied: false, counters: [{ value }] })),
    },
  ],
  last: null,
});

test.each<[string, string, [number, unknown][]]>([
  ["no mission", "[[]]", []],
  ["counts and sums", "[[1700000000000,7],[3,0,1],[4,0,12.34]]", [3, 4].map((id) => [id, short(7, 1.7e12, id === 3 ? 1 : 12.34)])],
  [
    "two entries, one of a mission that continued",
    "[[5,7,6,7.5],[3,0,-2],[4,1,1e+21]]",
    [
      [3, short(7, 5, -2)],
      [4, short(7.5, 6, 1e21)],
    ],
  ],
  ["several objectives", "[[5,7],[3,0,1,2,9007199254740991]]", [[3, short(7, 5, 1, 2, 9007199254740991)]]],
  [
    "something other than a number",
    '[[5,7],[3,0,[0,"a,]\\""]],[4,0,[0,null]],[5,0,[0,true]]]',
    [
      [3, short(7, 5, 'a,]"')],
      [4, short(7, 5, null)],
      [5, short(7, 5, true)],
    ],
  ],
  [
    "a mission in full",
    '[[],[3,[],[2,"2026-03-10",9]]]',
    [[3, { live: [], last: { number: 2, periodStart: "2026-03-10", completedAt: 9 } }]],
  ],
])("a partition is read as it was written: %s", (_, text, missions) => {
  const read = decodePartition(text);
  expect([...read]).toEqual(missions);
  expect(encodePartition(read)).toBe(text);
});

test.each(["", "[[5,7],[3,0,1]", "[[5,7],[3,0,1]]]", "[[5,7],[3,0,]]", "[[5,7],[3,0,1 2]]"])(
  "text that is not a partition is not read: %j",
  (text) => {
    expect(() => decodePartition(text)).toThrow(SyntaxError);
  },
);
