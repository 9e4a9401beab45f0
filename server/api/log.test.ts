import { expect, test } from "vitest";
import { createLogger } from "./log.ts";

test("an unexpected error is logged without the secrets in its message or its cause", () => {
  const lines: string[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(line) });
  const cause = new Error("cannot read whsec_ab%2Fcd= here");
  for (const err of [new Error("unknown svc%5Flive%5F00ff", { cause }), "svc_pat_00ff"]) logger.error({ err }, "fault");
  expect(lines.join("")).not.toMatch(/00ff|cd=/);
  expect(JSON.parse(lines[0]!).err).toMatchObject({ message: "unknown [secret]", cause: { message: "cannot read [secret] here" } });
});

test("an unreachable database is logged without a stack, which shows only the driver, and once in a while", () => {
  const lines: string[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(line) });
  const postponed = (code: string) => logger.warn({ err: Object.assign(new Error("no answer"), { code }) }, "a slice is postponed");
  for (const code of ["ECONNREFUSED", "ERANGE"]) postponed(code);
  const [unreachable, other] = lines.map((line) => (JSON.parse(line) as { err: object }).err);
  expect(unreachable).toEqual({ name: "Error", code: "ECONNREFUSED", message: "no answer" });
  expect(other).toHaveProperty("stack");
  for (const code of ["ECONNREFUSED", "ECONNREFUSED", "ERANGE"]) postponed(code);
  expect(
    lines.slice(2).map((line) => (JSON.parse(line) as { err: { code: string } }).err.code),
    "not with every poll",
  ).toEqual(["ERANGE"]);
});
