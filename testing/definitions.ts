import { readFile } from "node:fs/promises";
import { KitError, type Rpc } from "./rpc.ts";

/** The input that names an environment in procedures. */
export interface Scope {
  project: string;
  environment: "sandbox" | "live";
}

/** The path of a definitions file, or its content; `version` may be left out. */
export type DefinitionsInput = string | URL | object;

/** Imports definitions. Throws KitError with every problem that the service finds. */
export async function importDefinitions(rpc: Rpc, scope: Scope, definitions: DefinitionsInput): Promise<void> {
  const isFile = typeof definitions === "string" || definitions instanceof URL;
  const text = isFile ? await readFile(definitions, "utf8") : JSON.stringify({ version: 1, ...definitions });
  const { problems } = await rpc<{ problems: { pointer: string; message: string }[] }>("definitions/importFile", {
    ...scope,
    text,
    dryRun: false,
  });
  if (problems.length === 0) return;
  const lines = problems.map(({ pointer, message }) => `  ${pointer || "/"}: ${message}`);
  throw new KitError(`${isFile ? String(definitions) : "The definitions"} cannot be used:\n${lines.join("\n")}`);
}
