import { createHash } from "node:crypto";
import { imageKindOf, type ImageKind, textOf } from "./image-types.ts";
import type { Finding } from "./problems.ts";
import { safeSvg } from "./svg.ts";

export const LARGEST_IMAGE = 1024 * 1024;
const LONGEST_SIDE = 8_192;

/** An image as it is kept: what its bytes are, and an id that is their hash. */
export interface Image extends ImageKind {
  id: string;
  bytes: Buffer;
}

/** The id of an uploaded image: SHA-256 of its bytes. */
export const imageIdOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** An image as it may be kept, a drawing made safe; what is wrong with it, in words, where it may not. */
export function imageOf(sent: Buffer): Image | string {
  if (sent.length > LARGEST_IMAGE) return `must have at most 1 MiB; this has ${(sent.length / LARGEST_IMAGE).toFixed(1)}`;
  const kind = imageKindOf(sent);
  if (kind === null) return "must be a PNG, JPEG, WebP or SVG image, and whole";
  const sides = [kind.width, kind.height].filter((side) => side !== null);
  if (sides.some((side) => side < 1 || side > LONGEST_SIDE)) {
    return `must have 1 to ${LONGEST_SIDE} pixels on each side; this has ${kind.width} × ${kind.height}`;
  }
  if (kind.type !== "image/svg+xml") return { ...kind, id: imageIdOf(sent), bytes: sent };
  const drawing = safeSvg(textOf(sent) ?? "");
  if (drawing === null) return "cannot be made safe: it is broken, or no drawing at all; save it again with a drawing program";
  const bytes = Buffer.from(drawing);
  if (bytes.length > LARGEST_IMAGE) return "must have at most 1 MiB when it is made safe";
  return { ...kind, id: imageIdOf(bytes), bytes };
}

/** The images that a file brings along, sound ones; what is wrong with the others. */
export function readImages(given: readonly { id: string; bytes: string }[]): { images: Image[]; findings: Finding[] } {
  const images: Image[] = [];
  const findings: Finding[] = [];
  for (const [at, { id, bytes }] of given.entries()) {
    const sent = Buffer.from(bytes, "base64");
    const image = imageOf(sent);
    if (typeof image === "string") findings.push({ path: ["images", at, "bytes"], message: image });
    else if (imageIdOf(sent) !== id)
      findings.push({ path: ["images", at, "id"], message: "must be the SHA-256 of the bytes, in hexadecimal" });
    else if (image.id !== id) findings.push({ path: ["images", at, "bytes"], message: UNSAFE });
    else images.push(image);
  }
  return { images, findings };
}

const UNSAFE =
  "has parts that a drawing must not have here, such as scripts; upload it in the dashboard, and use the id that it gets there";
