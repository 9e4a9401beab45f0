import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { Temporal } from "#temporal";
import { localDate, localMinute } from "./time.ts";

const AT = Date.UTC(2026, 2, 29, 0, 59);

test("the runtime's own Temporal is used if it has one", () => {
  expect(Temporal).toBe((globalThis as { Temporal?: unknown }).Temporal);
});

test("without it, as in Node 24, the polyfill gives the same results", () => {
  const program = `
    delete globalThis.Temporal;
    const { localDate, localMinute } = await import(${JSON.stringify(new URL("time.ts", import.meta.url).href)});
    console.log(localDate(${AT}, "Europe/Amsterdam"), localMinute(${AT} + 60_000, "Europe/Amsterdam"));`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }).trim();
  expect(said).toBe(`${localDate(AT, "Europe/Amsterdam")} ${localMinute(AT + 60_000, "Europe/Amsterdam")}`);
  expect(said).toBe("2026-03-29 2026-03-29T03:00");
});
