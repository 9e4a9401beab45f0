import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ensureAuthSecret } from "./auth-secret.ts";
import { readSettings } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "engagement-auth-"));
afterAll(() => rmSync(folder, { recursive: true }));

const secretOf = (environment: Record<string, string>) =>
  ensureAuthSecret(readSettings({ DATA_DIR: join(folder, "data"), ...environment }));

test("a secret is created once, however many processes start, and only its owner can read it", async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => secretOf({})));
  expect(new Set(made).size).toBe(1);
  expect(made[0]).toMatch(/^[\w-]{44}$/);
  expect(await secretOf({})).toBe(made[0]);
  expect(statSync(join(folder, "data", "auth-secret")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o711);
});

test("a DATA_DIR that is no folder is named as the problem", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "data")]) await expect(secretOf({ DATA_DIR: path })).rejects.toThrow(/^DATA_DIR must be a folder/);
});

test("AUTH_SECRET takes precedence, and is required with an external database", async () => {
  expect(await secretOf({ AUTH_SECRET: "0123456789abcdef" })).toBe("0123456789abcdef");
  await expect(secretOf({ DATABASE_URL: "postgres://localhost/x" })).rejects.toThrow(/^AUTH_SECRET must be set/);
  const both = { DATABASE_URL: "postgres://localhost/x", AUTH_SECRET: "0123456789abcdef" };
  expect(await secretOf(both)).toBe("0123456789abcdef");
});

test("a file that holds no secret is rejected", async () => {
  const path = join(folder, "data", "auth-secret");
  const kept = readFileSync(path, "utf8");
  writeFileSync(path, "\n");
  await expect(secretOf({})).rejects.toThrow("delete it");
  writeFileSync(path, kept);
});
