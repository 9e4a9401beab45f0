import type { Database } from "../../db/client.ts";
import { ensureDemo, type Demo } from "../operations/demo/load.ts";
import { ensureFirstOwner } from "../people/identity/ensure-first-owner.ts";
import type { SignIn } from "../people/identity/insert-person.ts";
import type { Settings } from "./settings.ts";
import type { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import { reencryptSecrets } from "../delivery/service/secrets.ts";

/** What a first start created, shown this once; null for what existed already. */
export interface FirstStart {
  owner: SignIn | null;
  demo: Demo | null;
}

/** Creates the first owner and the demo project in an empty database. Only one of several processes does. Throws OperatorError. */
export async function prepareFirstStart(database: Database, { owner, demo }: Settings): Promise<FirstStart> {
  return {
    owner: await ensureFirstOwner(database, owner),
    demo: demo === "off" ? null : await ensureDemo(database, { isShort: demo === "short" }),
  };
}

/** What an operator should know about a start. */
interface Told {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Part of every start: encrypts webhook secrets under this AUTH_SECRET that are under another one, or in plain text. */
export async function keepSecretsEncrypted(database: Database, cipher: SecretCipher, told: Told): Promise<void> {
  const { count, unreadable } = await reencryptSecrets(database, cipher);
  if (count > 0) told.info({ count }, "the secrets of webhook endpoints are encrypted under the current AUTH_SECRET");
  if (unreadable.length > 0) {
    const words = "webhook endpoints get nothing: their secrets were encrypted under another AUTH_SECRET; set AUTH_SECRET_PREVIOUS to it, or rotate the secrets"; // oxfmt-ignore
    told.warn({ endpoints: unreadable }, words);
  }
}
