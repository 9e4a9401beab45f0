import { dated } from "./inputs.ts";
import { createApiKey, revokeApiKey } from "../../people/api-keys/api-keys.ts";
import { selectKeys } from "../../people/api-keys/store.ts";
import { z } from "zod";
import { forEnvironment } from "../access.ts";
import { inEnvironment, instantText } from "../../model/contract/rpc.ts";

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Its prefix and its last four characters: "svc_sbox_…9f3c". */
  hint: z.string(),
  createdAt: instantText,
  /** To the minute; null before its first use. */
  lastUsedAt: instantText.nullable(),
  revokedAt: instantText.nullable(),
});

/** Keys of the public API. Every member sees their hints; Admins create and revoke them. */
export const apiKeysDashboardProcedures = {
  /** The newest first, revoked ones too. */
  list: forEnvironment("Viewer", "cheap")(
    inEnvironment,
    async (_, { database, environment }) => {
      const keys = await selectKeys(database.sql, environment.id);
      return keys.map((key) => dated(key, "createdAt", "lastUsedAt", "revokedAt"));
    },
    z.array(apiKey),
  ),
  /** The key is shown this once. */
  create: forEnvironment("Admin", "cheap", { isSensitive: true })(
    inEnvironment.extend({ name: z.string() }),
    async ({ name }, { database, environment, actor }) => ({ key: await createApiKey(database, environment, name, actor) }),
  ),
  /** Takes effect with the next request. */
  revoke: forEnvironment("Admin", "cheap", { isSensitive: true })(
    inEnvironment.extend({ id: z.uuid() }),
    ({ id }, { database, environment, actor }) => revokeApiKey(database, environment, id, actor),
  ),
};
