import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { removeAbandoned, removeDatabase } from "../embedded/abandoned.ts";
import { useEmbeddedDatabase } from "../embedded/database.ts";
import { migrateDatabase } from "../migrate.ts";
import { databaseUrl } from "./database-url.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * A server for tests, with a migrated database to clone. `clients`: its address for programs and proxies; `near`: for the test itself,
     * by a socket.
     */
    databases: { url: string; clients: string; near: string; template: string; isShared: boolean };
  }
}

const FOLDER = "engagement-test-";
/** Tests need no durability: their databases are deleted at the end. */
const NOT_DURABLE = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "128MB",
  autovacuum_naptime: "10min",
  // The status page's test switches the tracking on.
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "none",
};

/** The run's PostgreSQL server, with a migrated template database. */
interface TemplateServer {
  url: string;
  nearUrl: string;
  template: string;
  close(): Promise<void>;
}

/** Vitest sets its projects up in one process, each with its own module instances. They share a server through this. */
const SERVER = Symbol.for("engagement.test-server");
const shared = globalThis as { [SERVER]?: { users: number; opened: Promise<TemplateServer> } };

/**
 * Vitest's global set-up: one PostgreSQL a run (or TEST_DATABASE_URL, with TEST_POOLER as the service's way to it), and in it a migrated
 * template for every test file to clone.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  if (process.env["TEST_DATABASE_SHARED"]) return share(project, process.env["TEST_DATABASE_URL"] ?? "");
  const server = (shared[SERVER] ??= { users: 0, opened: openTemplate() });
  server.users++;
  const { url, nearUrl, template, close } = await server.opened;
  const pooler = process.env["TEST_POOLER"];
  project.provide("databases", { url, clients: pooler ?? url, near: pooler ?? nearUrl, template, isShared: false });
  return async () => {
    if (--server.users > 0) return;
    delete shared[SERVER];
    await close();
  };
}

async function openTemplate(): Promise<TemplateServer> {
  const { url, nearUrl, stop } = await startServer(process.env["TEST_DATABASE_URL"]);
  const template = `template_${randomBytes(6).toString("hex")}`;
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${template}`);
  await migrateDatabase(databaseUrl(url, template));
  const close = async () => {
    await admin.unsafe(`drop database if exists ${template} with (force)`);
    await admin.end();
    await stop();
  };
  return { url, nearUrl, template, close };
}

/** One migrated database for all files, if cloning is not possible (`npm run citus`): each file has its own projects. */
function share(project: TestProject, url: string): () => Promise<void> {
  project.provide("databases", { url, clients: url, near: url, template: new URL(url).pathname.slice(1), isShared: true });
  return async () => {};
}

async function startServer(ofOnesOwn: string | undefined): Promise<{ url: string; nearUrl: string; stop: () => Promise<void> }> {
  if (ofOnesOwn !== undefined) return { url: ofOnesOwn, nearUrl: ofOnesOwn, stop: async () => {} };
  removeAbandoned(FOLDER);
  const directory = join(tmpdir(), `${FOLDER}${process.pid}-${randomBytes(4).toString("hex")}`);
  const remove = () => removeDatabase(directory);
  process.once("exit", remove);
  const database = await useEmbeddedDatabase({ directory, settings: NOT_DURABLE });
  return {
    url: database.url,
    nearUrl: database.nearUrl,
    stop: async () => {
      await database.leave();
      remove();
    },
  };
}
