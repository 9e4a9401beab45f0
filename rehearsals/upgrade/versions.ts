import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sql } from "../../db/client.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Tables that every request or slice writes, to show changes under prepared statements. */
const TABLES = ["players", "events", "queued_facts", "balances", "points_transactions", "mission_states", "webhook_deliveries"];
const each = (statement: (table: string) => string): string[] => TABLES.map(statement);

/** The migration of the older version, which adds a column that the next version drops. */
const BEFORE = { name: "made_up_before", statements: each((table) => `alter table ${table} add column made_up_old text default 'old';`) };
/** The migrations of the next version: expand, migrate, contract (docs/upgrading.md). */
const NEXT = [
  {
    name: "made_up_expand",
    statements: each((table) => `alter table ${table} add column made_up_new text;`).concat(
      each((table) => `alter table ${table} alter column made_up_new set default 'new';`),
    ),
  },
  {
    name: "made_up_migrate",
    statements: each(
      (table) => `-- in slices
update ${table} set made_up_new = 'moved' where ctid = any(array(select ctid from ${table} where made_up_new is null limit 500));`,
    ),
  },
  {
    name: "made_up_contract",
    statements: each((table) => `-- unused since made_up_expand: made_up_new\nalter table ${table} drop column made_up_old;`),
  },
];

/** Writes the files of a commit, with this checkout's node_modules; false if the commit is unknown here. */
export function checkOut(commit: string, folder: string): boolean {
  mkdirSync(folder);
  try {
    const input = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9, stdio: "pipe" });
    execFileSync("tar", ["-x", "-C", folder], { input });
  } catch {
    return false;
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return true;
}

/** Makes two versions from a commit's files, with migrations between them that change every hot table. */
export function makeUp(older: string, newer: string): void {
  append(older, [BEFORE]);
  append(newer, [BEFORE, ...NEXT]);
}

function append(folder: string, migrations: readonly { name: string; statements: readonly string[] }[]): void {
  const journal = join(folder, "db/migrations/meta/_journal.json");
  const { entries, ...rest } = JSON.parse(readFileSync(journal, "utf8")) as { entries: { idx: number; when: number; tag: string }[] };
  for (const { name, statements } of migrations) {
    const last = entries.at(-1)!;
    const tag = `${String(last.idx + 1).padStart(4, "0")}_${name}`;
    entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag });
    writeFileSync(join(folder, `db/migrations/${tag}.sql`), statements.join("--> statement-breakpoint\n"));
  }
  writeFileSync(journal, JSON.stringify({ ...rest, entries }, null, 2));
}

/** Checks the results of `makeUp`'s migrations; returns a line for each table with an error. */
export async function checkMadeUp(sql: Sql): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    const columns = await sql.unsafe<{ name: string }[]>(
      `select column_name as name from information_schema.columns where table_name = '${table}' and column_name like 'made_up%'`,
    );
    const [left] = await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${table} where made_up_new is null`);
    if (columns.map(({ name }) => name).join() !== "made_up_new" || left!.count > 0)
      found.push(`${table} has the columns ${columns.map(({ name }) => name).join(", ")}, and ${left!.count} rows that were not moved`);
  }
  return found;
}
