import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseJson, writeJson } from "../model/kernel/json.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import { oneLine } from "./definition-changes.ts";

/** Definitions from a file, or from all files of a folder, as one document; its numbers are exact. */
export interface Source {
  document: unknown;
  /** The file or folder; images lie beside it. */
  path: string;
  /** A line for a problem: maps a pointer into the document to the file that the part came from. */
  locate(pointer: string): string;
}

/** The line for a problem. An empty pointer means the whole file. */
export const problemLine = ({ pointer, message }: { pointer: string; message: string }, locate: Source["locate"]): string =>
  oneLine(`${locate(pointer)}: ${message}`);

/**
 * Reads a definitions file, or all `*.json` below a folder as one; each is a definitions file with some of the lists. A top-level "$schema"
 * member, which is for editors, is ignored. Throws OperatorError.
 */
export function readSource(path: string): Source {
  if (!isFolder(path)) return { path, document: withoutSchema(readDocument(path)), locate: (pointer) => pointer };
  const files = definitionFilesIn(path);
  if (files.length === 0) throw new OperatorError(`${path} has no definitions files (*.json).`);
  return merged(
    path,
    files.map((file) => ({ name: relative(path, file), document: withoutSchema(readDocument(file)) })),
  );
}

interface Part {
  name: string;
  document: unknown;
}

/** Lists are concatenated; any other member may be in one file only. */
function merged(path: string, parts: readonly Part[]): Source {
  const whole: Record<string, unknown> = {};
  /** The file of a list entry, by list and position; of any other member, its file. */
  const origins = new Map<string, { name: string; at: number | null }>();
  for (const { name, document } of parts) {
    if (!isJsonObject(document)) throw new OperatorError(`${name}: a definitions file is an object: {"version": 1, …}.`);
    if (Object.hasOwn(document, "engagementPlan")) throw new OperatorError(`${name} is a plan: keep it outside of ${path}.`);
    for (const [member, value] of Object.entries(document)) {
      const before = whole[member];
      if (Array.isArray(value) && (before === undefined || Array.isArray(before))) {
        const list: unknown[] = before ?? [];
        value.forEach((_, at) => origins.set(`${member} ${list.length + at}`, { name, at }));
        whole[member] = [...list, ...(value as unknown[])];
        continue;
      }
      if (before !== undefined && writeJson(before) !== writeJson(value))
        throw new OperatorError(`${name}: "${member}" says something else than in ${origins.get(member)?.name ?? "another file"}.`);
      whole[member] = value;
      origins.set(member, { name, at: null });
    }
  }
  return { path, document: whole, locate: (pointer) => located(pointer, origins) };
}

function located(pointer: string, origins: ReadonlyMap<string, { name: string; at: number | null }>): string {
  const [, member = "", at, ...rest] = pointer.split("/");
  const entry = at === undefined ? undefined : origins.get(`${member} ${at}`);
  if (entry !== undefined) return `${entry.name}: ${["", member, entry.at, ...rest].join("/")}`;
  const origin = origins.get(member);
  return origin === undefined ? pointer : `${origin.name}: ${pointer}`;
}

function withoutSchema(document: unknown): unknown {
  if (!isJsonObject(document) || !Object.hasOwn(document, "$schema")) return document;
  const { $schema: _, ...rest } = document;
  return rest;
}

/** The JSON of a file, its numbers exact. Throws OperatorError. */
function readDocument(file: string): unknown {
  const text = textOf(file);
  try {
    return parseJson(text);
  } catch (error) {
    throw new OperatorError(oneLine(`${file} is not JSON: ${(error as Error).message}`));
  }
}

/** The text of a file, which must be UTF-8. Throws OperatorError. */
export function textOf(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Says which file was looked for, and where: most often the command runs in another folder than was thought. */
export function unreadable(file: string, error: unknown): OperatorError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new OperatorError(`There is no ${resolve(file)}.`);
  return new OperatorError(oneLine(`${file} cannot be read: ${message}`));
}

/** A missing path is read as a file, which reports the error. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The names of files of scenarios, which may lie among the definitions. */
export const SCENARIOS = /\.scenarios\.(?:ya?ml|json)$/;

/** Sorted by name: new definitions are created in this order. */
const definitionFilesIn = (folder: string): string[] => filesIn(folder).filter((file) => file.endsWith(".json") && !SCENARIOS.test(file));

/** Whether a file would be read as one of the definitions files in a folder. */
export const isAmong = (path: string, file: string): boolean =>
  isFolder(path) && file.endsWith(".json") && !relative(path, file).startsWith("..");

/** All files below a folder, in order of their names. Packages and hidden folders have none of this project's definitions. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : filesIn(path);
      return entry.isFile() ? [path] : [];
    })
    .sort();

/** The files of a pulled environment by path: one file, or for a folder the settings and one per definition. */
export function filesOf(document: Record<string, unknown>, target: string): Map<string, unknown> {
  if (target.endsWith(".json")) return new Map([[target, document]]);
  // Each list becomes a folder of its name.
  const lists = Object.entries(document).filter(([kind, value]) => /^\w+$/.test(kind) && Array.isArray(value)) as [
    string,
    Record<string, unknown>[],
  ][];
  const settings = Object.fromEntries(Object.entries(document).filter(([, value]) => !Array.isArray(value)));
  const version = document["version"];
  const files = new Map<string, unknown>([[join(target, "settings.json"), settings]]);
  for (const [kind, list] of lists)
    for (const one of list) files.set(join(target, kind, `${nameOf(one)}.json`), { version, [kind]: [one] });
  return files;
}

/** A definition's key, or the currency or instant that identifies it; characters not allowed in file names become "-". */
const nameOf = ({ key, currencyCode, effectiveFrom }: Record<string, unknown>): string =>
  String(key ?? currencyCode ?? effectiveFrom).replaceAll(/[^\w.-]/g, "-");

/** Writes the files, leaving unchanged ones alone. Returns how many were written. Throws OperatorError. */
export function writeFiles(files: ReadonlyMap<string, unknown>): number {
  let count = 0;
  for (const [path, content] of files) {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    if (textIn(path) === text) continue;
    writeFile(path, text);
    count++;
  }
  return count;
}

/** Writes a file, in a folder that may be new. Throws OperatorError. */
export function writeFile(path: string, content: string | Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  } catch (error) {
    throw new OperatorError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** The files of a folder that a pull did not write: definitions that the environment lacks. */
export const otherFilesIn = (target: string, files: ReadonlyMap<string, unknown>): string[] =>
  isFolder(target) ? definitionFilesIn(target).filter((file) => !files.has(file)) : [];

function textIn(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
