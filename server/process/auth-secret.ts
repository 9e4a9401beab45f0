import { randomBytes } from "node:crypto";
import { chmod, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureDataDirectory } from "../../db/embedded/directory.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Settings } from "./settings.ts";
import { SecretCipher } from "../model/webhooks/secret-cipher.ts";

const FILE = "auth-secret";

/**
 * The secret that signs sessions and encrypts webhook secrets: AUTH_SECRET, or one made on the first start and kept beside the embedded
 * database. With an external database, other processes sign for the same people and need it too, so it must be given. Throws
 * OperatorError.
 */
export async function ensureAuthSecret({ authSecret, databaseUrl, dataDir }: Settings): Promise<string> {
  if (authSecret !== undefined) return authSecret;
  if (databaseUrl !== undefined) throw withoutAuthSecret();
  const path = join(ensureDataDirectory(dataDir), FILE);
  const kept = await readKept(path);
  if (kept !== null) return kept;
  const own = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(own, `${randomBytes(33).toString("base64url")}\n`, { mode: 0o600 });
  // Each process writes a whole file; one is linked to the path, and all others read that one.
  await link(own, path).catch(ignoreExisting);
  await rm(own);
  return (await readKept(path)) as string;
}

export const withoutAuthSecret = (): OperatorError =>
  new OperatorError(
    "AUTH_SECRET must be set where DATABASE_URL is: it signs the sessions of the dashboard and encrypts the secrets of webhooks, the same for all processes. `openssl rand -base64 33` gives one.",
  );

async function readKept(path: string): Promise<string | null> {
  try {
    const secret = (await readFile(path, "utf8")).trim();
    if (secret.length < 32)
      throw new OperatorError(
        `${path} holds no secret. Put back the one that it held; or delete it, and the next start makes a new one: then everyone signs in again, and each webhook endpoint's secret has to be rotated.`,
      );
    // A restored backup may have made it world-readable.
    await chmod(path, 0o600).catch(() => {});
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

/**
 * Encrypts and decrypts the signing secrets of webhooks with the secret above, and with the previous one while AUTH_SECRET_PREVIOUS is set.
 * Throws OperatorError as `ensureAuthSecret` does.
 */
export const openCipher = async (settings: Settings): Promise<SecretCipher> =>
  new SecretCipher(await ensureAuthSecret(settings), settings.previousAuthSecret);
