import { readFileSync, writeFileSync } from "node:fs";
import type { Sql } from "./client.ts";

/** What the oldest version that may still run during a migration depends on (docs/upgrading.md). */
export interface Served {
  /** Its commit. */
  commit: string;
  /** Its newest migration. */
  migration: string;
  /** The functions that it may call, with their arguments and answers. */
  functions: string[];
}

const FILE = new URL("served.json", import.meta.url);

export const readServed = (): Served => JSON.parse(readFileSync(FILE, "utf8")) as Served;

export const writeServed = (served: Served): void => writeFileSync(FILE, `${JSON.stringify(served, null, 2)}\n`);

/** The names of all migrations, in their order. */
export function migrationTags(): string[] {
  const journal = JSON.parse(readFileSync(new URL("migrations/meta/_journal.json", import.meta.url), "utf8")) as {
    entries: { tag: string }[];
  };
  return journal.entries.map(({ tag }) => tag);
}

/** The functions of a migrated database. */
export async function functionsOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ signature: string }[]>`
    select format('%s(%s) → %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid)) as signature
    from pg_proc where pronamespace = 'public'::regnamespace order by proname, oid`;
  return rows.map(({ signature }) => signature);
}
