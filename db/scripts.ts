import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Transaction } from "./client.ts";

/** The scripts of a folder, joined in the order of their names. */
function readScripts(relative: string): string {
  const folder = fileURLToPath(new URL(relative, import.meta.url));
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return names
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

export const readFunctions = (): string => readScripts("./functions");

/** The scripts that replace functions of the same names in a distributed database. */
export const readDistributedFunctions = (): string => readScripts("./scale/functions");

/** Replaces functions with those of a distributed database. */
export const replaceFunctions = (tx: Transaction): Promise<void> => runEach(tx, readDistributedFunctions());

/** Runs the statements of a script one by one: Citus forwards a trigger statement with the whole text that contains it. */
export async function runEach(tx: Transaction, script: string): Promise<void> {
  for (const statement of statementsOf(script)) await tx.unsafe(statement);
}

/** The statements of a script: each ends at the end of a line; function bodies are between two `$$`. */
function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  let isInBody = false;
  for (const line of script.split("\n").filter((text) => text.trim() !== "" && !text.trimStart().startsWith("--"))) {
    lines.push(line);
    if (line.split("$$").length % 2 === 0) isInBody = !isInBody;
    if (isInBody || !line.endsWith(";")) continue;
    statements.push(lines.join("\n"));
    lines = [];
  }
  return statements;
}
