import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { KINDS } from "./backups.ts";
import { findPostgresPrograms } from "./postgres-programs.ts";
import { rehearseRestore } from "./rehearse-restore.ts";

/** `npm run rehearse:restore [-- --seconds n]`: rehearses both ways of docs/backup.md. Exits 1 if something is not as before. */
const { values } = parseArgs({ options: { seconds: { type: "string", default: "10" } } });
const programs = findPostgresPrograms();
if (programs === null) {
  console.error(
    "PostgreSQL's programs (initdb, postgres, pg_dump, pg_restore, pg_basebackup; 15 or newer) are not on this machine. PG_BIN names their folder.",
  );
  process.exit(1);
}
for (const kind of KINDS) {
  const folder = mkdtempSync(join(tmpdir(), "engagement-restore-"));
  const flowMs = (Number(values.seconds) * 1000) / 4;
  const { acknowledged, lost, erasedAgain, differences } = await rehearseRestore({
    programs,
    kind,
    folder: join(folder, kind),
    flowMs,
    onStep: (line) => console.log(`${kind}: ${line}`),
  });
  rmSync(folder, { recursive: true, force: true });
  console.log(
    [
      `${kind}: ${acknowledged} requests were acknowledged; ${lost} orders were lost with the server, and came again`,
      `${kind}: players erased again: ${erasedAgain}; differences: ${differences.length}`,
      ...differences,
    ].join("\n"),
  );
  if (differences.length > 0) process.exitCode = 1;
}
