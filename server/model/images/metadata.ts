import type { ImageKind } from "./types.ts";

/**
 * Strips the metadata of a picture: where, when and by whom it was taken (EXIF, XMP, texts, comments, previews, and data after its end).
 * Image data stays byte for byte, as does the EXIF orientation. Null for an incomplete picture. Idempotent.
 */
export function withoutMetadata(type: ImageKind["type"], bytes: Buffer): Buffer | null {
  switch (type) {
    case "image/png":
      return pngWithout(bytes);
    case "image/jpeg":
      return jpegWithout(bytes);
    case "image/webp":
      return webpWithout(bytes);
    case "image/svg+xml":
      return bytes;
  }
}

/**
 * The chunks that affect rendering, besides the critical ones: colours, transparency, size, animation. Programs do not rotate a PNG by its
 * EXIF.
 */
const PNG_DRAWS = new Set("tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs sPLT hIST acTL fcTL fdAT".split(" "));

function pngWithout(bytes: Buffer): Buffer | null {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(name)) return null;
    // A capital letter marks a critical chunk.
    if (/^[A-Z]/.test(name) || PNG_DRAWS.has(name)) kept.push(bytes.subarray(at, end));
    if (name === "IEND") return Buffer.concat(kept);
    at = end;
  }
  return null;
}

const EXIF = "Exif\0\0";

function jpegWithout(bytes: Buffer): Buffer | null {
  const kept = [bytes.subarray(0, 2)];
  let hasExif = false;
  let hasScan = false;
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END_OF_IMAGE) {
      kept.push(bytes.subarray(at, at + 2));
      return Buffer.concat(kept);
    }
    if (at + 4 > bytes.length) return null;
    const end = at + 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    if (end > bytes.length) return null;
    const payload = bytes.subarray(at + 4, end);
    if (marker === START_OF_SCAN) {
      hasScan = true;
      const next = endOfScan(bytes, end);
      kept.push(bytes.subarray(at, next));
      at = next;
      continue;
    }
    if (marker === 0xe1 && !hasExif && startsWith(payload, EXIF)) {
      hasExif = true;
      const exif = exifWith(orientationIn(payload.subarray(EXIF.length)));
      if (exif !== null) kept.push(segment(0xe1, Buffer.concat([Buffer.from(EXIF, "latin1"), exif])));
    } else if (marker === 0xe0 && startsWith(payload, "JFIF\0") && payload.length >= 14) {
      // The last two bytes say that there is no preview.
      kept.push(segment(0xe0, Buffer.concat([payload.subarray(0, 12), Buffer.of(0, 0)])));
    } else if (draws(marker, payload)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  // Some cameras omit the end marker; decoders show the data so far.
  return hasScan ? Buffer.concat(kept) : null;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;

/** Of the application segments (APP0 to APP15, comments) only colour data affects rendering: the profile, and Adobe's colour transform. */
function draws(marker: number, payload: Buffer): boolean {
  if (marker === 0xe2) return startsWith(payload, "ICC_PROFILE\0");
  if (marker === 0xee) return startsWith(payload, "Adobe");
  return marker !== COMMENT && !(marker >= 0xe0 && marker <= 0xef);
}

/** The end of the scan data that begins here: the next marker that is neither an escaped FF nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

const segment = (marker: number, payload: Buffer): Buffer => {
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};

const WEBP_DRAWS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);

/** Flags in the first byte of VP8X: has EXIF, has XMP. */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

function webpWithout(bytes: Buffer): Buffer | null {
  const end = bytes.readUInt32LE(4) + 8;
  const kept: Buffer[] = [];
  let exif: Buffer | null = null;
  for (let at = 12; at + 8 <= end;) {
    const name = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return null;
    const payload = bytes.subarray(at + 8, at + 8 + length);
    const next = at + 8 + length + (length % 2);
    if (WEBP_DRAWS.has(name)) kept.push(next <= end ? bytes.subarray(at, next) : chunk(name, payload));
    else if (name === "EXIF" && exif === null)
      exif = exifWith(orientationIn(startsWith(payload, EXIF) ? payload.subarray(EXIF.length) : payload));
    at = next;
  }
  if (kept.length === 0) return null;
  const first = (kept[0] = Buffer.from(kept[0]!));
  if (first.toString("latin1", 0, 4) === "VP8X") first[8] = (first[8]! & ~(HAS_EXIF | HAS_XMP)) | (exif === null ? 0 : HAS_EXIF);
  // Decoders only look for it with a VP8X chunk.
  if (exif !== null && first.toString("latin1", 0, 4) === "VP8X") kept.push(chunk("EXIF", exif));
  const body = Buffer.concat([Buffer.from("WEBP"), ...kept]);
  return Buffer.concat([Buffer.from("RIFF"), uint32(body.length), body]);
}

const chunk = (name: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(name, "latin1"), uint32(payload.length), payload, Buffer.alloc(payload.length % 2)]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const startsWith = (bytes: Buffer, text: string): boolean => bytes.toString("latin1", 0, text.length) === text;

/** The default orientation: no rotation. */
const UPRIGHT = 1;
const ORIENTATION = 0x0112;
const SHORT = 3;

/** The EXIF orientation of a picture: 1 to 8; 1 if absent. `tiff` is the block without its name. */
export function orientationIn(tiff: Buffer): number {
  const isLittle = tiff.toString("latin1", 0, 4) === "II*\0";
  if (!isLittle && tiff.toString("latin1", 0, 4) !== "MM\0*") return UPRIGHT;
  const uint16 = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const uint32 = (at: number) => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = uint32(4);
  for (let entry = 0; entry < uint16(directory); entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return UPRIGHT;
    if (uint16(at) !== ORIENTATION) continue;
    const value = uint16(at + 8);
    return uint16(at + 2) === SHORT && value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** An EXIF block with only the orientation; null for the default. */
export function exifWith(orientation: number): Buffer | null {
  if (orientation === UPRIGHT) return null;
  // Big-endian; one directory, at 8, with one entry; no directory after it.
  const bytes = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  bytes.writeUInt16BE(orientation, 18);
  return bytes;
}
