import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLineHere } from "../../e2e/command-line.ts";
import { findPostgresPrograms } from "./postgres-programs.ts";
import { rehearseRestore } from "./rehearse-restore.ts";

const programs = findPostgresPrograms();
const SKIPPED = "skipped: initdb, postgres, pg_dump, pg_restore and pg_basebackup of PostgreSQL 15 or newer are not on this machine";
const PATIENCE_MS = 300_000;

/** The short form of `npm run rehearse:restore`. */
test.skipIf(programs === null)(
  `a dump taken under load is restored: players erased since are erased again, repeated events count once, and the audit passes${programs === null ? ` (${SKIPPED})` : ""}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "engagement-restore-"));
    const { acknowledged, lost, erasedAgain, differences } = await rehearseRestore({
      programs: programs!,
      kind: "dump",
      folder: join(folder, "dump"),
      flowMs: 400,
      runCommand: commandLineHere,
    });
    rmSync(folder, { recursive: true, force: true });
    expect(differences).toEqual([]);
    expect(erasedAgain).toBe(1);
    for (const count of [acknowledged, lost]) expect(count).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
