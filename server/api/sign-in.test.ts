import { expect, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { testCipher } from "../delivery/testing.ts";
import type { Logger } from "./log.ts";
import { openSignIn } from "./sign-in.ts";

const database = await testDatabase();

/** An error as next-auth reports it, around what its library found in the provider's answer. */
const failed = (cause: unknown) =>
  Object.assign(new Error("Read more", { cause: { err: new Error("not what was expected", { cause }), provider: "oidc" } }), {
    type: "CallbackRouteError",
  });

test.each([
  ["a code that a provider does not know", { error: "invalid_grant" }, "warn"],
  ["a code that GitHub does not know", { body: { error: "bad_verification_code" } }, "warn"],
  ["a client that the provider does not know", { error: "invalid_client" }, "error"],
  ["an answer without a cause", undefined, "error"],
])("%s is logged as any visitor can cause it, or as a fault", (_, cause, level) => {
  const lines: [string, unknown][] = [];
  const logger = {
    error: (line: unknown) => lines.push(["error", line]),
    warn: (line: unknown) => lines.push(["warn", line]),
  } as unknown as Logger;
  const options = { database, baseUrl: "http://localhost", authSecret: "of a test", providers: [], cipher: testCipher, logger };
  openSignIn({ ...options, addressOf: () => null }).report(failed(cause));
  expect(lines).toEqual([[level, level === "warn" ? { reason: "unknown code" } : expect.anything()]]);
});
