import { IMAGE_ID } from "../kernel/texts.ts";
import { type Finding, finding } from "../rules/finding.ts";
import { type Kind, KINDS } from "./contract.ts";
import type { Entry, File } from "./file.ts";
import type { StoredDefinitions } from "./stored.ts";
import { valueAt } from "./value-at.ts";

/** The uploaded images that a file's definitions name. */
export const imageIdsIn = (file: File): string[] => [...new Set(imageUses(file).map(({ id }) => id))];

/** The uploaded images that stored definitions name. */
export const imageIdsOf = ({ lists }: StoredDefinitions): string[] => {
  const all = KINDS.flatMap((kind) => lists[kind].flatMap(({ shaped }) => ("images" in shaped ? Object.values(shaped.images) : [])));
  return [...new Set(all.filter((image) => IMAGE_ID.test(image)))].sort();
};

/** Images that are neither uploaded to this project nor in the file. */
export function imageFindings(file: File, known: ReadonlySet<string>): Finding[] {
  const here = new Set([...known, ...file.images.map(({ id }) => id)]);
  return imageUses(file)
    .filter(({ id }) => !here.has(id))
    .map(({ id, kind, at, slot }) => finding([kind, at, "images", slot], "image.unknown", { id }));
}

function imageUses({ lists }: File): { id: string; kind: Kind; at: number; slot: string }[] {
  return KINDS.flatMap((kind) =>
    ((lists[kind] ?? []) as readonly Entry[]).flatMap(({ at, raw }) =>
      Object.entries(objectAt(raw)).flatMap(([slot, id]) => (typeof id === "string" && IMAGE_ID.test(id) ? [{ id, kind, at, slot }] : [])),
    ),
  );
}

function objectAt(raw: unknown): object {
  const images = valueAt(raw, ["images"]);
  return typeof images === "object" && images !== null ? images : {};
}
