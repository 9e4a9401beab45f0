import { setTimeout as delay } from "node:timers/promises";
import { type Database, openDatabase } from "../../db/client.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { databaseUrl } from "../../db/testing/database-url.ts";
import type { Chance } from "./chance.ts";
import type { Task } from "./task-process.ts";
import type { BeginTask } from "./open-task-process.ts";
import { steadily } from "./steadily.ts";

/** Kills the task's process by its argument, or kills what the task depends on. */
export type Kill = (killTask: () => Promise<void>) => Promise<unknown>;

/** The result of a kill: whether it interrupted the work, and a line for each violation. */
export interface Interrupted {
  wasInTheMiddle: boolean;
  found: string[];
}

/** The usual duration of each work; the kill happens at a random moment within it. */
const MAX_MS: Record<Task["kind"], number> = { import: 60, move: 250, reset: 100, migrate: 1_200 };

/** Starts a task and kills a moment later; returns whether that interrupted it. */
export async function interrupt(task: Task, begin: BeginTask, chance: Chance, kill: Kill): Promise<boolean> {
  const begun = begin(task);
  await delay(chance.between(0, MAX_MS[task.kind]));
  const wasInTheMiddle = !begun.hasEnded();
  await kill(begun.kill);
  await begun.end();
  return wasInTheMiddle;
}

/** Migrates a new database, kills the migration midway, and repeats it. */
export async function interruptMigration(
  database: Database,
  url: string,
  name: string,
  interrupted: (task: Task) => Promise<boolean>,
): Promise<Interrupted> {
  const target = databaseUrl(url, name);
  await steadily(() => create(database, name));
  const wasInTheMiddle = await interrupted({ kind: "migrate", url: target });
  await steadily(() => migrateDatabase(target));
  const [own, other] = [await schemaOf(url), await schemaOf(target)];
  await steadily(() => database.sql.unsafe(`drop database if exists ${name} with (force)`));
  return { wasInTheMiddle, found: own === other ? [] : ["an interrupted migration led to another schema after it was repeated"] };
}

/** A database's schema as text. */
function schemaOf(url: string): Promise<string> {
  return steadily(async () => {
    const database = openDatabase(url, { connections: 1 });
    try {
      const rows = await database.sql<{ part: string }[]>`
        select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as part
          from information_schema.columns where table_schema = 'public'
        union all select indexdef from pg_indexes where schemaname = 'public'
        union all select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
        union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
        order by 1`;
      return rows.map(({ part }) => part).join("\n");
    } finally {
      await database.close();
    }
  });
}

async function create({ sql }: Database, name: string): Promise<void> {
  const there = await sql`select from pg_database where datname = ${name}`;
  if (there.length === 0) await sql.unsafe(`create database ${name}`);
}
