import { execFile } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { type Cluster, openCluster, SUPERUSER } from "../../db/embedded/cluster.ts";
import { chooseLaunch } from "../../db/embedded/launch.ts";
import { ensureServer } from "../../db/embedded/server.ts";
import { steadilyUntil } from "../crash/steadily.ts";
import type { PostgresPrograms } from "./postgres-programs.ts";

const NAME = "engagement";
/** Keeps the files small: a segment of the log is 16 MB. */
const SETTINGS = { shared_buffers: "64MB", max_wal_size: "128MB", min_wal_size: "32MB" };

/** An operator's PostgreSQL, run by the programs of this machine. */
export class OwnServer {
  readonly #programs: PostgresPrograms;
  readonly #cluster: Cluster;
  #pid = 0;
  #port = 0;

  private constructor(programs: PostgresPrograms, cluster: Cluster) {
    this.#programs = programs;
    this.#cluster = cluster;
  }

  /** Opens an empty server in a new folder, or one on copied files, with the password of their server. */
  static async open(
    programs: PostgresPrograms,
    folder: string,
    { copy, settings = {} }: { copy?: { files: string; password: string }; settings?: Record<string, string> } = {},
  ): Promise<OwnServer> {
    const launch = chooseLaunch(programs.postgres);
    if (copy !== undefined) {
      cpSync(copy.files, join(folder, "data"), { recursive: true });
      writeFileSync(join(folder, "password"), copy.password, { mode: 0o600 });
    }
    const cluster = await openCluster(folder, programs, launch);
    const server = new OwnServer(programs, cluster);
    ({ pid: server.#pid, port: server.#port } = await ensureServer(cluster, programs, launch, { ...SETTINGS, ...settings }));
    return server;
  }

  get password(): string {
    return this.#cluster.password;
  }

  get url(): string {
    return this.urlOf(NAME);
  }

  urlOf(database: string): string {
    return `postgres://${SUPERUSER}:${this.#cluster.password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Makes the empty database of the service. */
  createDatabase = (): Promise<unknown> =>
    this.ask("postgres", (sql) => sql.unsafe(`create database ${NAME} encoding 'UTF8' template template0`));

  async ask<T>(database: string, question: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = postgres(this.urlOf(database), { max: 1, fetch_types: false, onnotice: () => {} });
    try {
      return await question(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /** Waits until a server that was started from a backup has replayed its log and accepts writes. */
  recovered = (): Promise<void> =>
    steadilyUntil(() =>
      this.ask("postgres", async (sql) => !(await sql<{ recovering: boolean }[]>`select pg_is_in_recovery() as recovering`)[0]!.recovering),
    );

  /** Runs one of its programs against it, with these arguments. */
  async run(program: "pgDump" | "pgRestore" | "pgBaseBackup", ...words: string[]): Promise<void> {
    await promisify(execFile)(this.#programs[program], words, { env: { ...process.env, PGOPTIONS: "" } });
  }

  /** Kills it as a failing machine does, and deletes its files. */
  destroy(): void {
    if (this.#pid > 0) {
      try {
        process.kill(this.#pid, "SIGQUIT");
      } catch {
        // It has ended already.
      }
    }
    rmSync(this.#cluster.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
