import { expect, test } from "vitest";
import { addUses, describeUses, describeWal } from "./statements.ts";

test("statements are added up over turns and reported per operation, the longest first; those within functions are marked", () => {
  const use = { isNested: false, calls: 1, plans: 0, us: 100, walBytes: 0 };
  const uses = addUses([
    [
      { ...use, text: "select\n  1" },
      { ...use, text: "select 2", us: 500, walBytes: 60 },
    ],
    [
      { ...use, text: "select\n  1" },
      { ...use, text: "select 2", isNested: true, plans: 1, us: 1 },
    ],
  ]);
  expect(describeUses(uses, 10, "an event").slice(2)).toEqual([
    "50       6        0.1      0        select 2",
    "20       0        0.2      0        select 1",
    "0.1      0        0.1      0.1      · select 2",
  ]);
});

test("WAL is reported per operation by table or index and kind of record", () => {
  const uses = [{ relation: "events", record: "Heap INSERT", records: 20, bytes: 5_000 }];
  expect(describeWal(uses, 10, "an event").slice(2)).toEqual(["500      2        events Heap INSERT"]);
});
