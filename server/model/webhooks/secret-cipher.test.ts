import { inspect } from "node:util";
import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { NONCE_BYTES, SecretCipher } from "./secret-cipher.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD = "the secret of last year";
const NEW = "the secret of this year";
const id = randomUUID();
const nonce = () => randomBytes(NONCE_BYTES);

test("a secret decrypts unchanged, and each encryption differs", () => {
  const cipher = new SecretCipher(OLD);
  const [first, second] = [cipher.encrypt(id, SECRET, nonce()), cipher.encrypt(id, SECRET, nonce())];
  expect(first).toMatch(/^v1\.[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]+$/);
  expect(first.startsWith(cipher.prefix)).toBe(true);
  expect(first).not.toBe(second);
  expect(first).not.toContain(SECRET.slice(6));
  expect([cipher.decrypt(id, first), cipher.decrypt(id, second)]).toEqual([SECRET, SECRET]);
});

test("ciphertexts of another endpoint, changed ones, those of another key, and plain text are refused", () => {
  const cipher = new SecretCipher(OLD);
  const encrypted = cipher.encrypt(id, SECRET, nonce());
  expect(cipher.decrypt(randomUUID(), encrypted)).toBeNull();
  const last = encrypted.at(-5) === "A" ? "B" : "A";
  expect(cipher.decrypt(id, encrypted.slice(0, -5) + last + encrypted.slice(-4))).toBeNull();
  expect(new SecretCipher(NEW).decrypt(id, encrypted)).toBeNull();
  for (const text of ["", SECRET, "v1", cipher.prefix, `${cipher.prefix}AAAA`, encrypted.replace("v1", "v2"), encrypted.slice(0, 40)])
    expect(cipher.decrypt(id, text), text).toBeNull();
});

test("with the previous key, old ciphertexts are read; new ones need only the current key", () => {
  const before = new SecretCipher(OLD).encrypt(id, SECRET, nonce());
  const between = new SecretCipher(NEW, OLD);
  expect([between.knows(before), between.decrypt(id, before)]).toEqual([true, SECRET]);
  const after = between.encrypt(id, SECRET, nonce());
  const alone = new SecretCipher(NEW);
  expect([alone.knows(before), alone.knows(after), alone.decrypt(id, after)]).toEqual([false, true, SECRET]);
});

test("logging or serialising it shows nothing of its keys", () => {
  const cipher = new SecretCipher(OLD, NEW);
  expect(inspect(cipher, { showHidden: true, depth: 9 }) + JSON.stringify({ cipher })).not.toMatch(
    /last year|this year|Buffer|[0-9a-f]{2} [0-9a-f]{2} /,
  );
});
