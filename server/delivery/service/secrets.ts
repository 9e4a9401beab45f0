import { randomBytes } from "node:crypto";
import type { Database, Sql } from "#db/client.ts";
import { SECRET_BYTES, SECRET_PREFIX, type Signing, writeSecret } from "../../model/webhooks/request.ts";
import { NONCE_BYTES, type SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { exchangeChannelSecrets, selectChannelSecretsUnlike } from "../store/channels.ts";
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

/** The result of re-encrypting: the number of endpoints and channels, and those with an unreadable secret. */
export interface Reencrypted {
  count: number;
  unreadable: string[];
}

/**
 * Re-encrypts all signing secrets that are not encrypted under the current AUTH_SECRET. It runs once after a change of AUTH_SECRET, with
 * AUTH_SECRET_PREVIOUS set to the old value, which is not needed afterwards. Several processes may run it concurrently, also beside
 * rotations: a secret that changed meanwhile stays as it is.
 */
export async function reencryptSecrets({ sql }: Database, cipher: SecretCipher): Promise<Reencrypted> {
  const rows = await selectSecretsUnlike(sql, cipher.prefix);
  const exchanges = rows.map((was) => ({ was, now: reencrypted(cipher, was) }));
  const count = await exchangeSecrets(
    sql,
    exchanges.flatMap(({ was, now }) => (now === null ? [] : [{ ...now, was }])),
  );
  const channels = await reencryptChannels(sql, cipher);
  return {
    count: count + channels.count,
    unreadable: [...exchanges.filter(({ now }) => now === null).map(({ was }) => was.id), ...channels.unreadable],
  };
}

/** The same for the URLs and secrets of channels. */
async function reencryptChannels(sql: Sql, cipher: SecretCipher): Promise<Reencrypted> {
  const rows = await selectChannelSecretsUnlike(sql, cipher.prefix);
  const exchanges = rows.flatMap((was) => {
    const { id } = was;
    const url = cipher.decrypt(urlOf(id), was.url);
    const secret = was.secret === null ? null : cipher.decrypt(id, was.secret);
    if (url === null || (was.secret !== null && secret === null)) return [];
    return [{ was, id, url: encryptSecret(cipher, urlOf(id), url), secret: secret === null ? null : encryptSecret(cipher, id, secret) }];
  });
  const readable = new Set(exchanges.map(({ id }) => id));
  return { count: await exchangeChannelSecrets(sql, exchanges), unreadable: rows.map(({ id }) => id).filter((id) => !readable.has(id)) };
}

/** The name under which a channel's URL is encrypted: it cannot be put in the place of the secret. */
export const urlOf = (channelId: string): string => `${channelId} url`;

/** Re-encrypts an endpoint's secrets; null if the current one is unreadable. An unreadable previous secret is dropped. */
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
