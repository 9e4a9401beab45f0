import { expect, it } from "vitest";
import { MAX_PAGE_ROWS } from "../../server/model/analytics/table.ts";
import { allRows } from "./report-table.tsx";

const ROWS = Array.from({ length: 2 * MAX_PAGE_ROWS + 1 }, (_, at) => String(at));

it("a table's file has every row once, even if a row moves to another page while the pages are read", async () => {
  let reads = 0;
  const all = await allRows(
    async ({ page, limit }) => {
      const order = reads++ === 1 ? [...ROWS.slice(-1), ...ROWS.slice(0, -1)] : ROWS;
      return { rows: order.slice((page - 1) * limit, page * limit), count: ROWS.length, page, limit };
    },
    (row) => row,
  );
  expect(all).toEqual(ROWS);
  expect(reads).toBe(6);
});
