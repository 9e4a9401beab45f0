import { expect, it } from "vitest";
import { MAX_PAGE_ROWS } from "../../server/model/analytics/table.ts";
import { csvOf } from "./file.tsx";
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

it("a file has numbers digit for digit, no cell that a spreadsheet runs, and a mark by which one reads accents", async () => {
  const rows = [
    ["-12345678901234567890.12345678", -5, 0.5, null],
    ["=1+1", "-1+1", "+A1", "Daily, größe"],
  ];
  expect(await csvOf(rows)).toBe(`\uFEFF-12345678901234567890.12345678,-5,0.5,\r\n'=1+1,'-1+1,'+A1,"Daily, größe"\r\n`);
});
