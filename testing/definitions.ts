import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Definitions } from "./definitions-file.ts";
import { KitError, type Rpc } from "./rpc.ts";

/** The input that names an environment in procedures. */
export interface Scope {
  project: string;
  environment: "sandbox" | "live";
}

/** The path of a definitions file, or of a folder of such files; or the content. */
export type DefinitionsInput = string | URL | Definitions;

/** Imports definitions. Throws KitError with every problem that the service finds. */
export async function importDefinitions(rpc: Rpc, scope: Scope, definitions: DefinitionsInput): Promise<void> {
  const isPath = typeof definitions === "string" || definitions instanceof URL;
  const path = definitions instanceof URL ? fileURLToPath(definitions) : definitions;
  const { document, locate } = typeof path === "string" ? await readPath(path) : { document: path, locate: (pointer: string) => pointer };
  for (const [at, text] of textsOf(document).entries()) {
    const { problems } = await rpc<{ problems: { pointer: string; message: string }[] }>("definitions/importFile", { ...scope, text });
    if (problems.length === 0) continue;
    const located = (pointer: string) => locate(pointer.replace(/^\/images\/0\b/, `/images/${at}`)) || "/";
    const lines = problems.map(({ pointer, message }) => `  ${located(pointer)}: ${message}`);
    throw new KitError(`${isPath ? String(definitions) : "The definitions"} cannot be used:\n${lines.join("\n")}`);
  }
}

/** The most bytes of a file in one call: a little less than the service accepts. */
const MAX_SENT = 4_000_000;

/** The document as one text; or each of its images, then the rest, where all together are too large for one call. */
function textsOf({ $schema: _, ...document }: Record<string, unknown>): string[] {
  const textOf = (part: object) => JSON.stringify({ version: 1, ...part });
  const { images, ...rest } = document;
  if (!Array.isArray(images) || Buffer.byteLength(JSON.stringify(textOf(document))) <= MAX_SENT) return [textOf(document)];
  return [...images.map((image) => textOf({ images: [image] })), textOf(rest)];
}

interface Source {
  document: Record<string, unknown>;
  /** Maps a pointer into the document to the file that the part came from. */
  locate(pointer: string): string;
}

/** A definitions file; or all *.json below a folder as one, their lists joined in the order of their names. Throws KitError. */
async function readPath(path: string): Promise<Source> {
  if (!(await stat(path).catch(() => null))?.isDirectory())
    return { document: await withImages(await readJson(path), dirname(path)), locate: (pointer) => pointer };
  const names = (await readdir(path, { recursive: true })).filter(isDefinitions).toSorted();
  if (names.length === 0) throw new KitError(`${path} has no definitions files (*.json).`);
  const document: Record<string, unknown> = {};
  /** By the first part of a pointer into the document: the file, and the pointer into that file. */
  const origins = new Map<string, string>();
  for (const name of names) {
    const { $schema: _, ...members } = await readJson(join(path, name));
    for (const [member, value] of Object.entries(members)) {
      const before = document[member];
      if (Array.isArray(value) && (before === undefined || Array.isArray(before))) {
        const list: unknown[] = before ?? [];
        for (const at of value.keys()) origins.set(`/${member}/${list.length + at}`, `${name}: /${member}/${at}`);
        document[member] = [...list, ...value];
        continue;
      }
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value))
        throw new KitError(`${join(path, name)}: "${member}" says something else than in another file.`);
      origins.set(`/${member}`, `${name}: /${member}`);
      document[member] = value;
    }
  }
  const locate = (pointer: string) => pointer.replace(/^\/\w+(?:\/\d+)?/, (start) => origins.get(start) ?? start);
  return { document: await withImages(document, path), locate };
}

/** The images that `engagement definitions pull` wrote beside the definitions, which name them. A new project does not have them. */
async function withImages(document: Record<string, unknown>, folder: string): Promise<Record<string, unknown>> {
  const text = JSON.stringify(document);
  const files = (await readdir(join(folder, "images")).catch(() => [])).map((name) => ({ name, id: name.split(".", 1)[0]! }));
  const named = files.filter(({ id }) => document["images"] === undefined && text.includes(`"${id}"`));
  const read = async ({ name, id }: { name: string; id: string }) => ({
    id,
    bytes: await readFile(join(folder, "images", name), "base64"),
  });
  return named.length === 0 ? document : { ...document, images: await Promise.all(named.map(read)) };
}

/** Leaves out scenarios (`engagement definitions test`), packages and hidden folders. */
const isDefinitions = (name: string): boolean =>
  name.endsWith(".json") && !/\.scenarios\.json$|(?:^|[\\/])(?:node_modules|\.[^\\/]+)[\\/]/.test(name);

/** The content of a definitions file; its numbers stay as they are written. Throws KitError. */
async function readJson(file: string): Promise<Record<string, unknown>> {
  const content = await contentOf(file);
  if (typeof content === "object" && content !== null && !Array.isArray(content)) return content as Record<string, unknown>;
  throw new KitError(`${file}: a definitions file is an object: {"version": 1, …}.`);
}

async function contentOf(file: string): Promise<unknown> {
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse((await readFile(file, "utf8")).replace(/^\uFEFF/, ""), exact);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new KitError(code === "ENOENT" ? `There is no ${resolve(file)}.` : `${file} cannot be read: ${message}`);
  }
}

/** Not in TypeScript's types yet: a number's source text, and a value that is written verbatim. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined && context.source !== String(value) ? rawJSON(context.source) : value;
