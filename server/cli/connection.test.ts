import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectionOf, writeLogins } from "./connection.ts";

const LOGIN = { token: "stored", email: "ann@example.com", project: "acme" };
const LOGINS = { current: "https://last.test", logins: { "https://last.test": LOGIN, "https://other.test": { ...LOGIN, token: "other" } } };

test.each([
  ["nothing names a service", {}, {}, null, null],
  ["the last login", {}, {}, LOGINS, { url: "https://last.test", token: "stored" }],
  ["a variable before the login", {}, { ENGAGEMENT_URL: "https://other.test/" }, LOGINS, { url: "https://other.test", token: "other" }],
  [
    "a flag before the variable",
    { url: "https://last.test" },
    { ENGAGEMENT_URL: "https://x.test" },
    LOGINS,
    { url: "https://last.test", token: "stored" },
  ],
  [
    "a token of the environment",
    {},
    { ENGAGEMENT_URL: "http://localhost:3000", ENGAGEMENT_TOKEN: "t" },
    null,
    { url: "http://localhost:3000", token: "t" },
  ],
  ["a token by flag", { token: "f" }, { ENGAGEMENT_TOKEN: "t" }, LOGINS, { url: "https://last.test", token: "f" }],
  ["a token from a file of lines", { url: "https://a.test", token: "f\r\n" }, {}, null, { url: "https://a.test", token: "f" }],
  ["a variable that is set to nothing", {}, { ENGAGEMENT_URL: "" }, null, null],
  ["a service below a path", { url: "https://a.test/b/", token: "f" }, {}, null, { url: "https://a.test/b", token: "f" }],
])("%s", (_, flags, env, logins, connection) => {
  expect(connectionOf(flags, env as unknown as NodeJS.ProcessEnv, logins)).toEqual(connection);
});

test.each([
  [{ url: "https://unknown.test" }, "login --url https://unknown.test"],
  [{ token: "t" }, "which service the token is for"],
  [{ url: "localhost:3000", token: "t" }, '"localhost:3000" is not the address'],
  [{ url: "https://ann:secret@a.test", token: "t" }, "is not the address"],
  [{ url: "https://a.test", token: "svc_pat_…" }, "The token is not complete"],
])("%j is refused", (flags, words) => {
  expect(() => connectionOf(flags, {} as unknown as NodeJS.ProcessEnv, { current: null, logins: {} })).toThrow(words);
});

test("a folder that cannot be made for the logins is a message, not an unexpected error", () => {
  const folder = mkdtempSync(join(tmpdir(), "logins-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  symlinkSync(join(folder, "gone/away"), join(folder, "engagement"));
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  expect(() => writeLogins({ current: null, logins: {} })).toThrow("credentials.json cannot be written");
});
