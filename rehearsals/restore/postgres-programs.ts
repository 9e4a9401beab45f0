import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Binaries } from "../../db/embedded/binaries.ts";

/** An operator's PostgreSQL programs: a server of one version, and the programs that back it up. */
export interface PostgresPrograms extends Binaries {
  pgDump: string;
  pgRestore: string;
  pgBaseBackup: string;
}

const OLDEST = 15;
const NAMES = ["initdb", "postgres", "pg_dump", "pg_restore", "pg_basebackup"];

/** The newest complete set on this machine, or in the folder that `PG_BIN` names; null if there is none. */
export function findPostgresPrograms(): PostgresPrograms | null {
  const found = folders().flatMap((folder) => {
    if (!NAMES.every((name) => existsSync(join(folder, name)))) return [];
    const version = Number(/ (\d+)/.exec(spawnSync(join(folder, "postgres"), ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1] ?? 0);
    return version < OLDEST ? [] : [{ folder, version }];
  });
  const newest = found.toSorted((one, other) => other.version - one.version)[0];
  if (newest === undefined) return null;
  const [initdb, postgres, pgDump, pgRestore, pgBaseBackup] = NAMES.map((name) => join(newest.folder, name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return { initdb, postgres, pgDump, pgRestore, pgBaseBackup, version: String(newest.version) };
}

/** The folders in which packages for Debian, Red Hat and Homebrew install them. */
function folders(): string[] {
  const own = process.env["PG_BIN"];
  if (own !== undefined) return [own];
  return [
    ["/usr/lib/postgresql", "bin"],
    ["/usr", "bin"],
    ["/opt/homebrew/opt", "bin"],
  ].flatMap(([root, bin]) => {
    try {
      return readdirSync(root!)
        .filter((name) => /^(pgsql-|postgresql@)?\d+$/.test(name))
        .map((name) => join(root!, name, bin!));
    } catch {
      return [];
    }
  });
}
