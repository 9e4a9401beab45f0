/**
 * SHA-256 (FIPS 180-4) in plain JavaScript: rules also run in a browser, which has no synchronous hash. For public ids only; secrets are
 * hashed by `node:crypto`. For a short text it takes as long as `node:crypto`.
 */

/** The first 32 bits of the fractional part of `root`. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n);
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

const BLOCK = 64;
const LENGTH_BYTES = 8;
const encoder = new TextEncoder();
const words = new Int32Array(BLOCK);

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first eight bytes of the SHA-256 of a text in UTF-8, as two unsigned 32-bit words. */
export function hashStart(text: string): { high: number; low: number } {
  const bytes = encoder.encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  // No text has 2^29 bytes, so the upper half of its length in bits is 0.
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = INITIAL.slice();
  for (let at = 0; at < padded.length; at += BLOCK) addBlock(state, view, at);
  return { high: state[0]! >>> 0, low: state[1]! >>> 0 };
}

/** A fingerprint of a text: the first eight bytes of its hash, in hexadecimal. */
export function fingerprintOf(text: string): string {
  const { high, low } = hashStart(text);
  return [high, low].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function addBlock(state: Int32Array, view: DataView, start: number): void {
  for (let at = 0; at < 16; at++) words[at] = view.getInt32(start + at * 4);
  for (let at = 16; at < BLOCK; at++) {
    const [near, far] = [words[at - 2]!, words[at - 15]!];
    const small0 = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3);
    const small1 = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10);
    words[at] = words[at - 16]! + small0 + words[at - 7]! + small1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < BLOCK; at++) {
    const large1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + large1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[at]! + words[at]!) | 0;
    const large0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (large0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at]! += word;
}

/** The fingerprint of a draft with the definitions that are created along with it. */
export const fingerprintOfDraft = (document: string, along: readonly { kind: string; document: string }[]): string =>
  fingerprintOf([document, ...along.map((one) => `${one.kind} ${one.document}`)].join("\n"));
