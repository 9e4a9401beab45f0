import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { expect, inject } from "vitest";
import { createApiKey } from "../server/people/api-keys/api-keys.ts";
import { createProject } from "../server/people/projects/projects.ts";
import type { Environment } from "../server/model/kernel/environment.ts";
import type { ProjectSettings } from "../server/model/projects/settings.ts";
import { openDatabase, type Database } from "./client.ts";
import { databaseUrl } from "./testing/database-url.ts";

/** Whether the tests use a distributed database (`npm run citus`): all files share it, and everything takes longer. */
export const isSpread = (): boolean => inject("databases").isShared;

/** The time limit of a test that sets one, in milliseconds: ten times as long on a distributed database. */
export const timeLimit = (ms: number): number => (isSpread() ? 10 * ms : ms);

/** The databases of the test file that runs now. Test files share their worker's modules, so each file begins a list of its own. */
let held: { file: string; first: Promise<Database> | null; all: Promise<Database>[] } = { file: "", first: null, all: [] };

/** This test file's own database, migrated and empty: every call returns the same one. Dropped after the file. */
export function testDatabase(): Promise<Database> {
  const own = heldByFile();
  own.first ??= anotherDatabase();
  return own.first;
}

/** Shared by the test files of a worker. */
let shared: Promise<Database> | null = null;

/**
 * The worker's database for test files that see only their own projects. The connections stay open from one file to the next, with their
 * catalogs and plans: a quarter of the CPU seconds of small tests.
 */
export function sharedDatabase(): Promise<Database> {
  return (shared ??= cloneTemplate());
}

/** One more database, migrated and empty. Dropped after the file. */
export function anotherDatabase(): Promise<Database> {
  const database = cloneTemplate();
  heldByFile().all.push(database);
  return database;
}

/** The list of the running file. The previous file has finished: its databases are dropped. */
function heldByFile(): typeof held {
  const file = expect.getState().testPath ?? "";
  if (held.file !== file) {
    void drop(held.all);
    held = { file, first: null, all: [] };
  }
  return held;
}

export interface TestProject {
  slug: string;
  sandbox: Environment;
  live: Environment;
  sandboxKey: string;
  liveKey: string;
}

/** A project of the test's own, in English and UTC unless said otherwise, with a key for each environment. */
export async function testProject(database: Database, settings: Partial<ProjectSettings> = {}): Promise<TestProject> {
  const slug = settings.slug ?? `test-${randomBytes(6).toString("hex")}`;
  const { sandbox, live } = await createProject(database, { name: slug, defaultLanguage: "en", timeZone: "UTC", ...settings, slug }, slug);
  const [sandboxKey, liveKey] = await Promise.all([sandbox, live].map((environment) => createApiKey(database, environment, "test")));
  return { slug, sandbox, live, sandboxKey: sandboxKey!, liveKey: liveKey! };
}

/** Revokes the keys of that name, as `api-key revoke` does. */
export async function revokeKeys({ sql }: Database, { id }: Environment, name: string): Promise<void> {
  await sql`update api_keys set revoked_at = now() where environment_id = ${id} and name = ${name}`;
}

/** A test database's address, for programs that a test starts, and for connections of their own. */
export const addressOf = ({ sql }: Database): string => databaseUrl(inject("databases").clients, sql.options.database);

/** The address of `testDatabase()`. */
export async function testDatabaseUrl(): Promise<string> {
  return addressOf(await testDatabase());
}

async function drop(databases: readonly Promise<Database>[]): Promise<void> {
  for (const database of await Promise.all(databases)) {
    await database.close();
    if (database.sql.options.database === inject("databases").template) continue;
    await administrator().unsafe(`drop database if exists ${database.sql.options.database} with (force)`);
  }
}

async function cloneTemplate(): Promise<Database> {
  const { near, template, isShared } = inject("databases");
  if (isShared) return openDatabase(databaseUrl(near, template));
  const name = `test_${randomBytes(6).toString("hex")}`;
  // A fifth of the CPU seconds of the default strategy, which logs every page: 0.035 instead of 0.19.
  await administrator().unsafe(`create database ${name} template ${template} strategy file_copy`);
  return openDatabase(databaseUrl(near, name));
}

let connected: postgres.Sql | null = null;

/** The worker's connection that creates and drops databases. It stays open: connecting took four fifths of the CPU seconds of both. */
const administrator = (): postgres.Sql => (connected ??= postgres(inject("databases").url, { max: 1, onnotice: () => {} }));
