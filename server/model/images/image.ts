import { createHash } from "node:crypto";
import { type Finding, finding, type Mistake, mistake } from "../rules/finding.ts";
import { imageKindOf, type ImageKind, utf8Text } from "./types.ts";
import { withoutMetadata } from "./metadata.ts";
import { MAX_PARTS, countSvgParts, safeSvg } from "./svg.ts";

export const MAX_IMAGE = 1024 * 1024;
const MAX_SIDE = 8_192;
/** All images of a project together: they are kept in the database. */
export const MAX_IMAGE_BYTES = 200 * 1024 * 1024;

/** A stored image: its format, and an id that is the hash of its bytes. */
export interface Image extends ImageKind {
  id: string;
  bytes: Buffer;
}

/** An image as the quota counts it. */
export interface ImageSize {
  id: string;
  /** How many bytes it has. */
  size: number;
}

export const sizeOf = ({ id, bytes }: Pick<Image, "id" | "bytes">): ImageSize => ({ id, size: bytes.length });

/** The id of an uploaded image: SHA-256 of its bytes. */
export const imageIdOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Rounded up, so that a size over the limit shows as more. */
const mebibytes = (bytes: number): string => String(Math.ceil((bytes / 1024 / 1024) * 10) / 10);

/** The problem of adding this many bytes to a project's images; null if the quota allows them. */
export const quotaProblem = (held: number, added: number, most: number): Mistake | null =>
  held + added <= most ? null : mistake("image.no_room", { mebibytes: mebibytes(held + added), most: mebibytes(most) });

/** An image ready to store: a sanitized SVG, or a picture without metadata; otherwise its problem. */
export function imageOf(sent: Buffer): Image | Mistake {
  if (sent.length > MAX_IMAGE) return mistake("image.too_large", { mebibytes: mebibytes(sent.length) });
  const kind = imageKindOf(sent);
  if (kind === null) return mistake("image.none");
  const sides = [kind.width, kind.height].filter((side) => side !== null);
  if (sides.some((side) => side < 1 || side > MAX_SIDE)) {
    return mistake("image.wrong_size", { longest: MAX_SIDE, width: kind.width, height: kind.height });
  }
  if (kind.type !== "image/svg+xml") {
    const picture = withoutMetadata(kind.type, sent);
    return picture === null ? mistake("image.none") : { ...kind, id: imageIdOf(picture), bytes: picture };
  }
  const source = utf8Text(sent) ?? "";
  if (countSvgParts(source) > MAX_PARTS) return mistake("image.too_complicated");
  const drawing = safeSvg(source);
  if (drawing === null) return mistake("image.broken");
  const bytes = Buffer.from(drawing);
  if (bytes.length > MAX_IMAGE) return mistake("image.too_large", { mebibytes: null });
  return { ...kind, id: imageIdOf(bytes), bytes };
}

/** How many parts (`MAX_PARTS`) all SVGs of a file may have together. */
const MAX_PARTS_OF_A_FILE = 60_000;

/**
 * The valid images of a file, and the problems of the others. A picture keeps its bytes, including metadata: definitions refer to it by
 * their hash.
 */
export function readImages(given: readonly { id: string; bytes: string }[]): { images: Image[]; findings: Finding[] } {
  const images: Image[] = [];
  const findings: Finding[] = [];
  let parts = 0;
  for (const [at, { id, bytes }] of given.entries()) {
    const sent = Buffer.from(bytes, "base64");
    const path = ["images", at, "bytes"];
    // The limit applies to all SVGs together, and is checked before the next one is parsed.
    if (imageKindOf(sent)?.type === "image/svg+xml") parts += countSvgParts(utf8Text(sent) ?? "");
    if (parts > MAX_PARTS_OF_A_FILE) {
      findings.push(finding(path, "image.too_complicated"));
      break;
    }
    const image = imageOf(sent);
    if ("code" in image) findings.push({ ...image, path });
    else if (imageIdOf(sent) !== id) findings.push(finding(["images", at, "id"], "shape.image_hash"));
    else if (image.type !== "image/svg+xml") images.push({ ...image, id, bytes: sent });
    else if (image.id !== id) findings.push(finding(path, "image.unsafe"));
    else images.push(image);
  }
  return { images, findings };
}
