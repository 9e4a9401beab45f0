import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readFile } from "../model/definitions/file.ts";
import { imageIdsIn } from "../model/definitions/image-references.ts";
import { imageKindOf } from "../model/images/types.ts";
import { atOnce } from "../model/kernel/steps.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import { writeFile } from "./definition-files.ts";

export interface FileImage {
  id: string;
  /** Base64. */
  bytes: string;
}

const ENDINGS = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/svg+xml": "svg" };

/** Images lie in a folder beside the definitions, each under its id: definitions name them by it. */
const folderBeside = (path: string): string => join(path.endsWith(".json") ? dirname(path) : path, "images");

/** Writes the images that are not there yet; returns how many. An image under its id never changes. Throws OperatorError. */
export function writeImages(path: string, images: readonly FileImage[]): number {
  const folder = folderBeside(path);
  const there = new Set(filesIn(folder));
  let count = 0;
  for (const { id, bytes } of images) {
    // The id becomes the name of a file, so it may contain no path.
    if (!/^[\w-]+$/.test(id)) continue;
    const content = Buffer.from(bytes, "base64");
    const kind = imageKindOf(content);
    const name = `${id}.${kind === null ? "bin" : ENDINGS[kind.type]}`;
    if (there.has(name)) continue;
    writeFile(join(folder, name), content);
    count++;
  }
  return count;
}

/** The document with the images that it names, that lie beside it, and that the service lacks by `isKnown`. */
export function withImages(document: unknown, path: string, isKnown: (id: string) => boolean): unknown {
  if (!isJsonObject(document)) return document;
  const folder = folderBeside(path);
  const files = new Map(filesIn(folder).map((name) => [name.split(".", 1)[0]!, join(folder, name)]));
  const given = (Array.isArray(document["images"]) ? document["images"] : []) as FileImage[];
  const held = new Set(given.map((image) => image?.id));
  const added = namedIn(document).flatMap((id): FileImage[] => {
    const file = files.get(id);
    return file === undefined || held.has(id) || isKnown(id) ? [] : [{ id, bytes: readFileSync(file).toString("base64") }];
  });
  return added.length === 0 ? document : { ...document, images: [...given, ...added] };
}

/** The uploaded images that a document names. */
const namedIn = (document: unknown): string[] => imageIdsIn(atOnce(readFile(document)));

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
