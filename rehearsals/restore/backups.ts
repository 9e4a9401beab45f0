import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { steadilyUntil } from "../crash/steadily.ts";
import { OwnServer } from "./own-server.ts";
import type { PostgresPrograms } from "./postgres-programs.ts";

/** One of the ways of docs/backup.md to back up and restore a database. */
export interface Backup {
  /** Settings of the server that is backed up. */
  settings: Record<string, string>;
  /** Takes the backup while the service runs. */
  take(server: OwnServer): Promise<void>;
  /** Marks the point in time to restore, for methods with a choice. A plain backup restores its own start. */
  mark(server: OwnServer): Promise<void>;
  /** Makes sure that everything the backup needs is also outside the server's machine. */
  close(server: OwnServer): Promise<void>;
  /** Starts a server in another folder with the restored database. */
  restore(): Promise<OwnServer>;
}

export const KINDS = ["dump", "base"] as const;
export type BackupKind = (typeof KINDS)[number];

/** `folder` survives the server that is backed up. */
export const backupOf = (kind: BackupKind, programs: PostgresPrograms, folder: string): Backup =>
  kind === "dump" ? logical(programs, folder) : pointInTime(programs, folder);

/** pg_dump and pg_restore. */
function logical(programs: PostgresPrograms, folder: string): Backup {
  const file = join(folder, "engagement.dump");
  return {
    settings: {},
    take: (server) => server.run("pgDump", "--format=custom", `--file=${file}`, server.url),
    async mark() {},
    async close() {},
    async restore() {
      const server = await OwnServer.open(programs, join(folder, "restored"));
      await server.createDatabase();
      await server.run("pgRestore", "--no-owner", "--exit-on-error", `--dbname=${server.url}`, file);
      return server;
    },
  };
}

/** A copy of the files and the log since then, which can restore any moment. */
function pointInTime(programs: PostgresPrograms, folder: string): Backup {
  const archive = join(folder, "archive");
  const files = join(folder, "base");
  let [moment, password] = ["", ""];
  mkdirSync(archive);
  // The server may have to run as another user.
  chmodSync(archive, 0o777);
  return {
    settings: { archive_mode: "on", archive_command: `cp %p '${archive}/%f.part' && mv '${archive}/%f.part' '${archive}/%f'` },
    async take(server) {
      ({ password } = server);
      await server.run("pgBaseBackup", `--pgdata=${files}`, "--checkpoint=fast", `--dbname=${server.urlOf("postgres")}`);
      writeFileSync(join(files, "recovery.signal"), "");
    },
    async mark(server) {
      const [row] = await server.ask("postgres", (sql) => sql<{ now: string }[]>`select clock_timestamp()::text as now`);
      moment = row!.now;
    },
    async close(server) {
      const [row] = await server.ask("postgres", (sql) => sql<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`);
      await steadilyUntil(async () => existsSync(join(archive, row!.file)));
    },
    async restore() {
      const recovery = { restore_command: `cp '${archive}/%f' %p`, recovery_target_time: moment, recovery_target_action: "promote" };
      const settings = { ...recovery, archive_mode: "off" };
      const server = await OwnServer.open(programs, join(folder, "restored"), { copy: { files, password }, settings });
      await server.recovered();
      return server;
    },
  };
}
