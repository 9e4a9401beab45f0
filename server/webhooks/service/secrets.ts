import { randomBytes } from "node:crypto";
import type { Database } from "../../../db/client.ts";
import type { Signing } from "../headers.ts";
import { NONCE_BYTES, type SecretCipher } from "../secret-cipher.ts";
import { SECRET_BYTES, SECRET_PREFIX, writeSecret } from "../signature.ts";
import { exchangeSecrets, type SecretsRow, selectSecretsUnlike } from "../store/endpoints.ts";

/** A new signing secret, as people see it once and as it is kept. */
export function makeSecret(cipher: SecretCipher, endpointId: string): { secret: string; encrypted: string } {
  const secret = writeSecret(randomBytes(SECRET_BYTES));
  return { secret, encrypted: encryptSecret(cipher, endpointId, secret) };
}

const encryptSecret = (cipher: SecretCipher, endpointId: string, secret: string): string =>
  cipher.encrypt(endpointId, secret, randomBytes(NONCE_BYTES));

/** What to sign with; null where the secret cannot be read. The one before it signs along only as far as it can be. */
export function readSigning(cipher: SecretCipher, endpointId: string, encrypted: Signing): Signing | null {
  const secret = cipher.decrypt(endpointId, encrypted.secret);
  const previousSecret = encrypted.previousSecret === null ? null : cipher.decrypt(endpointId, encrypted.previousSecret);
  return secret === null ? null : { secret, previousSecret };
}

/** What became of encrypting anew: of how many endpoints, and which ones have a secret that cannot be read. */
export interface Reencrypted {
  count: number;
  unreadable: string[];
}

/**
 * Encrypts all signing secrets under the current AUTH_SECRET that are under another, or under none. Needed once after AUTH_SECRET was
 * changed, with AUTH_SECRET_PREVIOUS set to the one before; afterwards nothing needs that any more. May run in several processes at
 * once, and beside rotations: what changed meanwhile is left as it is, and under the key of whoever changed it.
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

/** Null where the secret cannot be read. One before it that cannot be read signs no more, and is dropped. */
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
