/** The format of an image, by its content: names and types given by clients are not trusted. */
export interface ImageKind {
  type: "image/png" | "image/jpeg" | "image/webp" | "image/svg+xml";
  /** In pixels; null for an SVG without a size. */
  width: number | null;
  height: number | null;
}

/** Reads type and size of an image from its first bytes; null if it has none of the four formats, or ends before its size. */
export function imageKindOf(bytes: Buffer): ImageKind | null {
  return pngOf(bytes) ?? jpegOf(bytes) ?? webpOf(bytes) ?? svgOf(bytes);
}

function pngOf(bytes: Buffer): ImageKind | null {
  if (bytes.length < 33 || bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n" || bytes.toString("latin1", 12, 16) !== "IHDR")
    return null;
  return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The frames that contain the size: all "start of frame" markers. C4, C8 and CC are not among them. */
const isStartOfFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegOf(bytes: Buffer): ImageKind | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (isStartOfFrame(marker)) return { type: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

function webpOf(bytes: Buffer): ImageKind | null {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return null;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  const size = webpSize(bytes);
  return size && { type: "image/webp", ...size };
}

/** The three variants of the format each store it differently. */
function webpSize(bytes: Buffer): { width: number; height: number } | null {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** A text whose first element is `svg`. Linear in its length, since uploads are untrusted. */
function svgOf(bytes: Buffer): ImageKind | null {
  const text = utf8Text(bytes);
  if (text === null) return null;
  const start = endOfProlog(text);
  if (!/^<svg\b/i.test(text.slice(start, start + 5))) return null;
  const end = text.indexOf(">", start);
  if (end < 0) return null;
  const attributes = text.slice(start + 4, end);
  return { type: "image/svg+xml", width: pixels(attributes, "width"), height: pixels(attributes, "height") };
}

/** Far more than drawing programs write before the root element. */
const MAX_PROLOG_LENGTH = 100_000;

/** The start of the first element: after the declaration, the comments and the document type. */
function endOfProlog(text: string): number {
  let at = 0;
  while (at < MAX_PROLOG_LENGTH) {
    while (isSpace(text.charCodeAt(at))) at++;
    const end = endOfMarkup(text, at);
    if (end === null) return at;
    at = end;
  }
  return at;
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xfeff;

/** The end of a non-element that begins here; null if it is something else, or has no end. */
function endOfMarkup(text: string, at: number): number | null {
  if (text.startsWith("<!--", at)) return after(text, "-->", at + 4);
  if (text.startsWith("<?xml", at)) return after(text, "?>", at);
  if (text.slice(at, at + 9).toUpperCase() !== "<!DOCTYPE") return null;
  const end = after(text, ">", at);
  const subset = text.slice(at, end ?? at).indexOf("[");
  if (subset < 0) return end;
  const closed = after(text, "]", at + subset);
  return closed === null ? null : after(text, ">", closed);
}

function after(text: string, token: string, from: number): number | null {
  const at = text.indexOf(token, from);
  return at < 0 ? null : at + token.length;
}

/** Characters of a size attribute that are read; a longer one is ignored. */
const MAX_SIZE = 40;

function pixels(attributes: string, name: string): number | null {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    if (!isSpace(attributes.charCodeAt(at - 1))) continue;
    const given = attributes.slice(at + name.length, at + name.length + MAX_SIZE);
    const [, digits] = /^\s*=\s*["']\s*(\d+(?:\.\d+)?)(?:px)?\s*["']/.exec(given) ?? [];
    if (digits !== undefined) return Math.ceil(Number(digits));
  }
  return null;
}

/** The text of UTF-8 bytes; null if they are not UTF-8. */
export function utf8Text(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
