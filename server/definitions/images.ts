import { createHash } from "node:crypto";
import { imageKindOf, type ImageKind, textOf } from "./image-types.ts";
import { withoutMetadata } from "./image-metadata.ts";
import type { Finding } from "./problems.ts";
import { hasTooManyParts, safeSvg } from "./svg.ts";

export const LARGEST_IMAGE = 1024 * 1024;
const LONGEST_SIDE = 8_192;
/** All images of a project together: they are kept in the database. */
export const MOST_IMAGE_BYTES = 200 * 1024 * 1024;

/** An image as it is kept: what its bytes are, and an id that is their hash. */
export interface Image extends ImageKind {
  id: string;
  bytes: Buffer;
}

/** The id of an uploaded image: SHA-256 of its bytes. */
export const imageIdOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Rounded up, so that what is too much looks so. */
const mebibytes = (bytes: number): string => String(Math.ceil((bytes / 1024 / 1024) * 10) / 10);

/** What is wrong with keeping so many bytes of images besides those that a project has, in words; null where there is room. */
export const roomProblem = (held: number, added: number, most: number): string | null =>
  held + added <= most
    ? null
    : `would bring this project's images to ${mebibytes(held + added)} MiB, and at most ${mebibytes(most)} MiB are kept; take one that is here already, make it smaller, or have it elsewhere and give its address`;

/** An image as it may be kept: a drawing made safe, a picture without its metadata; what is wrong with it, in words, where it may not. */
export function imageOf(sent: Buffer): Image | string {
  if (sent.length > LARGEST_IMAGE) return `must have at most 1 MiB; this has ${(sent.length / LARGEST_IMAGE).toFixed(1)}`;
  const kind = imageKindOf(sent);
  if (kind === null) return NO_IMAGE;
  const sides = [kind.width, kind.height].filter((side) => side !== null);
  if (sides.some((side) => side < 1 || side > LONGEST_SIDE)) {
    return `must have 1 to ${LONGEST_SIDE} pixels on each side; this has ${kind.width} × ${kind.height}`;
  }
  if (kind.type !== "image/svg+xml") {
    const picture = withoutMetadata(kind.type, sent);
    return picture === null ? NO_IMAGE : { ...kind, id: imageIdOf(picture), bytes: picture };
  }
  const source = textOf(sent) ?? "";
  if (hasTooManyParts(source)) return "is too complicated a drawing: simplify it, or save it as a PNG";
  const drawing = safeSvg(source);
  if (drawing === null) return "cannot be made safe: it is broken, or no drawing at all; save it again with a drawing program";
  const bytes = Buffer.from(drawing);
  if (bytes.length > LARGEST_IMAGE) return "must have at most 1 MiB when it is made safe";
  return { ...kind, id: imageIdOf(bytes), bytes };
}

const NO_IMAGE = "must be a PNG, JPEG, WebP or SVG image, and whole";

/**
 * The images that a file brings along, sound ones; what is wrong with the others. A picture keeps its bytes, metadata and all: the
 * definitions beside it name it by their hash.
 */
export function readImages(given: readonly { id: string; bytes: string }[]): { images: Image[]; findings: Finding[] } {
  const images: Image[] = [];
  const findings: Finding[] = [];
  for (const [at, { id, bytes }] of given.entries()) {
    const sent = Buffer.from(bytes, "base64");
    const image = imageOf(sent);
    if (typeof image === "string") findings.push({ path: ["images", at, "bytes"], message: image });
    else if (imageIdOf(sent) !== id)
      findings.push({ path: ["images", at, "id"], message: "must be the SHA-256 of the bytes, in hexadecimal" });
    else if (image.type !== "image/svg+xml") images.push({ ...image, id, bytes: sent });
    else if (image.id !== id) findings.push({ path: ["images", at, "bytes"], message: UNSAFE });
    else images.push(image);
  }
  return { images, findings };
}

const UNSAFE =
  "has parts that a drawing must not have here, such as scripts; upload it in the dashboard, and use the id that it gets there";
