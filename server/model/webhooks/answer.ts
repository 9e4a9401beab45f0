import { withoutSecrets } from "../kernel/secrets.ts";

/** The stored beginning of a response, shown with an attempt. */
export interface AnswerHead {
  /** Name → value, of the headers that help to understand a response. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Whether the response was longer. */
  isCut: boolean;
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The most bytes of a response that are read. */
export const MAX_BYTES = 16 * 1024;

/** The bytes of a response that are kept: successes are many and rarely of interest. */
export const keptBytes = (status: number | null): number => (isSuccess(status) ? 1024 : MAX_BYTES);

/** Headers that identify the server, its demands, and the request in its log. Cookies and tokens are excluded. */
const HEADERS = [
  ...["content-type", "content-length", "server", "date", "via", "location", "allow", "retry-after", "www-authenticate"],
  ...["x-request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray", "x-vercel-id", "traceparent"],
];
const MAX_VALUE_LENGTH = 300;

export function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const found = HEADERS.flatMap((name) => {
    const value = headers[name];
    if (value === undefined) return [];
    const text = [value].flat().join(", ");
    // The query of a redirect may contain the receiver's secrets.
    return [[name, withoutSecrets(name === "location" ? text.split(/[?#]/, 1)[0]! : text).slice(0, MAX_VALUE_LENGTH)]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

/** A body as stored: a receiver that prints its settings when it fails may include the signing secret. */
export function keptBody(body: Buffer): Buffer {
  // Secrets are ASCII, and so are their escapes: byte by byte, nothing else is changed.
  const text = body.toString("latin1");
  const kept = withoutSecrets(text);
  return kept === text ? body : Buffer.from(kept, "latin1");
}

/**
 * A response body as harmless text. Control and bidirectional characters show as escapes. If the bytes are not UTF-8, those that are not
 * plain ASCII show as `\\xNN`, and `isUtf8` is false. The end of a body that was cut may lack part of a character.
 */
export function readableText(body: Uint8Array, isCut: boolean): { text: string; isUtf8: boolean } {
  const whole = isCut ? body.subarray(0, wholeCharacters(body)) : body;
  try {
    return { text: visible(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(whole)), isUtf8: true };
  } catch {
    return { text: Array.from(body, (byte) => (isPlain(byte) ? String.fromCharCode(byte) : escapeByte(byte))).join(""), isUtf8: false };
  }
}

const isPlain = (byte: number): boolean => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127);

const escapeByte = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`;

/** The length without an incomplete last character. */
function wholeCharacters(body: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, body.length); back++) {
    const byte = body[body.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? body.length - back : body.length;
  }
  return body.length;
}

const visible = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n\r]|\p{Bidi_Control}/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? escapeByte(code) : `\\u${code.toString(16).padStart(4, "0")}`;
  });
