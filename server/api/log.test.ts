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
