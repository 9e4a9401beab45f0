import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { SECRET_BYTES, writeSecret } from "./request.ts";

const ALGORITHM = "aes-256-gcm";
const VERSION = "v1";
const TAG_BYTES = 16;
const KEY_ID_BYTES = 6;

/** How many random bytes the encryption of a secret takes. */
export const NONCE_BYTES = 12;

interface Key {
  /** The id of a key, in front of each ciphertext. It distinguishes keys and reveals nothing about them. */
  id: string;
  bytes: Buffer;
}

/**
 * Encrypts the signing secrets of webhook endpoints and channels, and the URLs of channels, for the database: AES-256-GCM under a key
 * derived from AUTH_SECRET (HKDF-SHA256), bound to the endpoint, so that a secret cannot be moved to another row. Written as `v1.<key
 * id>.<nonce, text and tag in base64url>`. Secrets encrypted under the previous AUTH_SECRET can be read while that is given too. No log
 * shows anything of a key.
 */
export class SecretCipher {
  /** The first key encrypts, and all of them decrypt. */
  readonly #keys: readonly [Key, ...Key[]];

  constructor(authSecret: string, previousAuthSecret?: string) {
    const current = keyOf(authSecret);
    this.#keys = previousAuthSecret === undefined ? [current] : [current, keyOf(previousAuthSecret)];
  }

  /** The prefix of everything encrypted under the current key. */
  get prefix(): string {
    return `${VERSION}.${this.#keys[0].id}.`;
  }

  /** `nonce`: `NONCE_BYTES` random bytes, never the same twice. */
  encrypt(endpointId: string, secret: string, nonce: Uint8Array): string {
    const cipher = createCipheriv(ALGORITHM, this.#keys[0].bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(endpointId));
    const text = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return this.prefix + text.toString("base64url");
  }

  /** Whether one of its keys has encrypted this, by the prefix alone. */
  knows(encrypted: string): boolean {
    return this.#keyOf(encrypted) !== undefined;
  }

  /** The secret; null if it was encrypted under another key or for another endpoint, or was tampered with. */
  decrypt(endpointId: string, encrypted: string): string | null {
    const key = this.#keyOf(encrypted);
    if (key === undefined) return null;
    const bytes = Buffer.from(encrypted.slice(encrypted.lastIndexOf(".") + 1), "base64url");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(endpointId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return null;
    }
  }

  /** A derived, unstored signing secret: the same for the same purpose while AUTH_SECRET is unchanged. Only for testing. */
  derive(purpose: string): string {
    return writeSecret(new Uint8Array(hkdfSync("sha256", this.#keys[0].bytes, "", `engagement-service ${purpose}`, SECRET_BYTES)));
  }

  #keyOf(encrypted: string): Key | undefined {
    const [version, id] = encrypted.split(".", 2);
    return version === VERSION ? this.#keys.find((key) => key.id === id) : undefined;
  }
}

const keyOf = (authSecret: string): Key => {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", authSecret, "", `engagement-service webhook secrets: ${purpose}`, bytes));
  return { id: derive("key id", KEY_ID_BYTES).toString("base64url"), bytes: derive("key", 32) };
};
