import { expect, test } from "vitest";
import type { DataImport } from "../client/service.tsx";
import { countsWords } from "./words.ts";

const counts = { lines: 1_000, refused: 2, repeated: 8, applied: 0 };

test.each<[Partial<DataImport>, string]>([
  [{ ...counts, status: "Ready" }, "1,000 lines: 990 new, 8 already imported, 2 refused"],
  [{ ...counts, status: "Ready", refused: 0, repeated: 0 }, "1,000 lines: 1,000 new"],
  [{ ...counts, status: "Running", applied: 500, repeated: 0 }, "1,000 lines: 500 imported, 2 refused"],
  [{ status: "Done", lines: 1, applied: 1, refused: 0, repeated: 0 }, "1 line: 1 imported"],
])("the counts of %j", (one, words) => {
  expect(countsWords(one as DataImport)).toBe(words);
});
