import { scrypt, timingSafeEqual } from "node:crypto";

/** OWASP's figures for scrypt; kept in each hash, so that they can be raised without locking users out. */
const COST = { N: 131_072, r: 8, p: 1 };
const KEY_BYTES = 32;
export const SALT_BYTES = 16;

/** "scrypt$N$r$p$salt$hash", base64. Takes some tenths of a second, off the main thread. */
export const hashPassword = (password: string, salt: Buffer, cost = COST): Promise<string> =>
  derive(password, salt, cost).then((key) => ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64"), key.toString("base64")].join("$"));

/** A hash that no password matches, for unknown accounts: checking it takes as long as any other. */
export const UNMATCHABLE_HASH = [
  "scrypt",
  COST.N,
  COST.r,
  COST.p,
  ...[SALT_BYTES, KEY_BYTES].map((size) => Buffer.alloc(size).toString("base64")),
].join("$");

export function isPassword(password: string, hashed: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hashed.split("$");
  if (scheme !== "scrypt" || salt === undefined || key === undefined) return Promise.resolve(false);
  const expected = Buffer.from(key, "base64");
  return derive(password, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) }).then(
    (actual) => actual.length === expected.length && timingSafeEqual(actual, expected),
  );
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const options = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const MIN_LENGTH = 10;
const MAX_LENGTH = 200;
/** The most common passwords. The minimum length does the rest. */
const COMMON = /^(.)\1*$|^(0?123456789?0?|1234567890|qwertyuiop|password\d*|passwort\d*|letmein\d*|iloveyou\d*|changeme\d*)$/i;

/** Why a password is not allowed; null if it is. */
export function passwordProblem(password: string, email: string): string | null {
  if (password.length < MIN_LENGTH) return `Use at least ${MIN_LENGTH} characters; a few words in a row are easy to remember.`;
  if (password.length > MAX_LENGTH) return `Use at most ${MAX_LENGTH} characters.`;
  const plain = password.trim().toLowerCase();
  if (COMMON.test(plain) || plain === email || plain === email.split("@")[0]) return "This password is too easy to guess; choose another.";
  return null;
}
