import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBinaries } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { AS_ROOT, chooseLaunch } from "./launch.ts";
import { ensureServer, stopServer } from "./server.ts";

const isRoot = process.getuid?.() === 0;

test("the first launch that works is chosen; without any, the error names the remedy", () => {
  const impossible = { prefix: ["no-such-program"], owner: null };
  const { postgres } = findBinaries();
  const asWeAre = { prefix: ["env"], owner: null };
  expect(chooseLaunch(postgres, [impossible, asWeAre])).toBe(asWeAre);
  expect(() => chooseLaunch(postgres, [impossible])).toThrow("DATABASE_URL");
});

test.runIf(isRoot)("as root, every launch that works can use the files of the previous one", async () => {
  const home = mkdtempSync(join(tmpdir(), "engagement-launch-"));
  chmodSync(home, 0o711);
  const binaries = findBinaries();
  const working = AS_ROOT.filter((launch) => {
    try {
      return chooseLaunch(binaries.postgres, [launch]);
    } catch {
      return false;
    }
  });
  expect(working).not.toEqual([]);
  for (const launch of working) {
    const cluster = await openCluster(join(home, "postgres"), binaries, launch);
    expect(statSync(cluster.data).uid).toBe(launch.owner?.uid);
    const { pid } = await ensureServer(cluster, binaries, launch, { fsync: "off" });
    await stopServer(cluster, pid);
  }
  rmSync(home, { recursive: true });
});
