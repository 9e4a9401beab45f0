import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { indexOf, isInSlices } from "../apply-migration.ts";
import { allValues, type Sql } from "../client.ts";
import { readDistributedFunctions, readFunctions } from "../scripts.ts";

/**
 * What the oldest version that may still run during a migration depends on (docs/upgrading.md). Nothing is released yet: the recorded
 * commit is a development version, and functions that only earlier commits called are gone.
 */
export interface Served {
  commit: string;
  /** Its newest migration. */
  migration: string;
  /** The hash of all scripts of functions. */
  scripts: string;
  /** The functions that it may call, with their arguments and results. */
  functions: string[];
}

const FILE = new URL("../served.json", import.meta.url);

export const readServed = (): Served => JSON.parse(readFileSync(FILE, "utf8")) as Served;

export const writeServed = (served: Served): void => writeFileSync(FILE, `${JSON.stringify(served, null, 2)}\n`);

export const hashOfScripts = (): string =>
  createHash("sha256")
    .update(readFunctions() + readDistributedFunctions())
    .digest("hex");

/** The names of all migrations, in their order. */
export function migrationTags(): string[] {
  const journal = JSON.parse(readFileSync(new URL("../migrations/meta/_journal.json", import.meta.url), "utf8")) as {
    entries: { tag: string }[];
  };
  return journal.entries.map(({ tag }) => tag);
}

/** The functions of a migrated database. */
export const functionsOf = (sql: Sql) =>
  allValues(sql<{ signature: string }[]>`
    select format('%s(%s) → %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid)) as signature
    from pg_proc where pronamespace = 'public'::regnamespace order by proname, oid`);

/**
 * A rule of docs/upgrading.md: a kind of statement that is unsafe while an older version may still serve. A linter does not replace them:
 * squawk 2.66 accepts a dropped constraint, function, type or view, and a change of all rows in one transaction, and asks for no reason.
 */
interface Rule {
  what: string;
  breaks(statement: string, made: ReadonlySet<string>): boolean;
  /** The comment that says why the statement is safe. */
  unless: "unused since" | "safe";
}

const name = String.raw`(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?(?:"?public"?\.)?"?(\w+)"?`;
/** Whether the statement changes a table that existed before the migration. */
const toOlder = (pattern: string) => {
  const expression = new RegExp(pattern.replace("NAME", name), "i");
  return (statement: string, made: ReadonlySet<string>): boolean => {
    const match = expression.exec(statement);
    return match !== null && !made.has(match[1] ?? "");
  };
};
const alters = (action: string) => toOlder(String.raw`^alter\s+table\s+NAME[\s\S]*?\b${action}`);
const addsColumn = alters(String.raw`add\s+column\b`);
const VOLATILE = /\bdefault\s+(?!now\(\))(?!current_)\w+\s*\(/i;

const RULES: Rule[] = [
  { what: "drops something that older code uses", unless: "unused since", breaks: (text) => /^drop\s+(?!index\b)/i.test(text) },
  {
    what: "drops a column, or a constraint that inserts rely on",
    unless: "unused since",
    breaks: alters(String.raw`drop\s+(?!not\s+null|default)`),
  },
  {
    what: "drops an index that may keep older code from writing a row twice",
    unless: "unused since",
    breaks: (text) => /^drop\s+index\b/i.test(text),
  },
  { what: "renames something that older code uses", unless: "unused since", breaks: (text) => /^alter\s[\s\S]*\brename\b/i.test(text) },
  {
    what: "changes the type of a column that older code reads",
    unless: "unused since",
    breaks: alters(String.raw`(?:set\s+data\s+)?type\b`),
  },
  {
    what: "adds a column that older code does not fill",
    unless: "unused since",
    breaks: (text, made) => addsColumn(text, made) && /\bnot\s+null\b/i.test(text) && !/\b(default|generated)\b/i.test(text),
  },
  { what: "requires a value that older code may not write", unless: "safe", breaks: alters(String.raw`set\s+not\s+null`) },
  {
    what: "reads the whole table under a lock: add the constraint `not valid`, and validate it in the next migration",
    unless: "safe",
    breaks: (text, made) => alters(String.raw`add\s+constraint\b`)(text, made) && !/\bnot\s+valid\b/i.test(text),
  },
  {
    what: "rewrites the whole table under a lock, for a default that is a function's result",
    unless: "safe",
    breaks: (text, made) => addsColumn(text, made) && VOLATILE.test(text),
  },
  {
    what: "blocks writers while it builds: use `create index concurrently`, in a migration of its own",
    unless: "safe",
    breaks: (text, made) => indexOf(text) === null && toOlder(String.raw`^create\s+(?:unique\s+)?index\b[\s\S]*?\bon\s+NAME`)(text, made),
  },
  {
    what: "changes rows in one transaction: put the comment `-- in slices` above a statement that changes some and finds the rest",
    unless: "safe",
    breaks: toOlder(String.raw`^(?:update|delete\s+from|insert\s+into)\s+NAME`),
  },
];

/**
 * The statements of a migration that would break a running older version, one line each. A comment above a statement lets it pass:
 * `-- unused since <version>: …` if no version that may still run uses what it drops, `-- safe: …` if the table is known to be small.
 */
export function breaksOlderCode(migration: string): string[] {
  const statements = migration.split("--> statement-breakpoint").map((text) => text.trim());
  const made = new Set(statements.flatMap((text) => new RegExp(String.raw`^create\s+table\s+${name}`, "i").exec(bare(text))?.[1] ?? []));
  return statements.flatMap((text) => {
    if (isInSlices(text)) return [];
    const broken = RULES.filter(({ breaks, unless }) => breaks(bare(text), made) && !hasReason(text, unless));
    return broken.map(({ what, unless }) => `${bare(text).split("\n")[0]} — ${what} (or say \`-- ${unless}…\`)`);
  });
}

const hasReason = (text: string, unless: Rule["unless"]): boolean =>
  unless === "safe" ? /^-- safe: \S/m.test(text) : /^-- unused since \S+: \S/m.test(text);

const bare = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("--"))
    .join("\n")
    .trim();
