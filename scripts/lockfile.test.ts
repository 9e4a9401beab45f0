import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** The check's messages for a lock file with these packages. */
function check(packages: Record<string, object>): { status: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), "engagement-lockfile-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "": {}, ...packages } }));
  const { status, stderr } = spawnSync(process.execPath, [join(process.cwd(), "scripts/lockfile.mjs")], { cwd: folder, encoding: "utf8" });
  return { status, said: stderr };
}

test("an entry of the lock file without an integrity hash is reported, and ours has none", () => {
  const integrity = "sha512-AAAA";
  expect(check({ "node_modules/a": { version: "1.0.0", integrity }, "node_modules/b": { version: "1.0.0", inBundle: true } })).toEqual({
    status: 0,
    said: "",
  });
  const planted = check({ "node_modules/a": { version: "1.0.0", integrity }, "node_modules/b": { version: "1.0.0", optional: true } });
  expect(planted).toMatchObject({ status: 1, said: expect.stringContaining("node_modules/b has no integrity") });
  const own = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, object> };
  expect(check(own.packages)).toEqual({ status: 0, said: "" });
});
