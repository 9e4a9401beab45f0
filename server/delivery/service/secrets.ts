import { randomBytes } from "node:crypto";
import type { Database } from "#db/client.ts";
import { SECRET_BYTES, SECRET_PREFIX, type Signing, writeSecret } from "../../model/webhooks/request.ts";
import { NONCE_BYTES, type SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { exchangeSecrets, type SecretsRow, selectSecretsUnlike } from "../store/endpoints.ts";

/** A new signing secret, in plain text to be shown once, and encrypted. */
export function makeSecret(cipher: SecretCipher, endpointId: string): { secret: string; encrypted: string } {
  const secret = writeSecret(randomBytes(SECRET_BYTES));
  return { secret, encrypted: encryptSecret(cipher, endpointId, secret) };
}

const encryptSecret = (cipher: SecretCipher, endpointId: string, secret: string): string =>
  cipher.encrypt(endpointId, secret, randomBytes(NONCE_BYTES));

/** The secrets to sign with; null if the current one is unreadable. The previous one also signs, if it is readable. */
export function readSigning(cipher: SecretCipher, endpointId: string, encrypted: Signing): Signing | null {
  const secret = cipher.decrypt(endpointId, encrypted.secret);
  const previousSecret = encrypted.previousSecret === null ? null : cipher.decrypt(endpointId, encrypted.previousSecret);
  return secret === null ? null : { secret, previousSecret };
}

/** The result of re-encrypting: the number of endpoints, and those with an unreadable secret. */
export interface Reencrypted {
  count: number;
  unreadable: string[];
}

/**
 * Re-encrypts all signing secrets that are not encrypted under the current AUTH_SECRET. It runs once after a change of AUTH_SECRET, with
 * AUTH_SECRET_PREVIOUS set to the old value, which is not needed afterwards. It may run in several processes at once, and beside rotations:
 * a secret that changed meanwhile stays as it is.
 */
export async function reencryptSecrets({ sql }: Database, cipher: SecretCipher): Promise<Reencrypted> {
  const rows = await selectSecretsUnlike(sql, cipher.prefix);
  const exchanges = rows.map((was) => ({ was, now: reencrypted(cipher, was) }));
  const count = await exchangeSecrets(
    sql,
    exchanges.flatMap(({ was, now }) => (now === null ? [] : [{ ...now, was }])),
  );
  return { count, unreadable: exchanges.filter(({ now }) => now === null).map(({ was }) => was.id) };
}

/** Null if the secret is unreadable. An unreadable previous secret is dropped. */
function reencrypted(cipher: SecretCipher, { id, ...kept }: SecretsRow): SecretsRow | null {
  const plain = (text: string) => (text.startsWith(SECRET_PREFIX) ? text : cipher.decrypt(id, text));
  const secret = plain(kept.secret);
  const previousSecret = kept.previousSecret === null ? null : plain(kept.previousSecret);
  if (secret === null) return null;
  return {
    id,
    secret: encryptSecret(cipher, id, secret),
    previousSecret: previousSecret === null ? null : encryptSecret(cipher, id, previousSecret),
  };
}
