import { z } from "zod";
import { forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

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
export const apiKeysDashboard = {
  /** The newest first, revoked ones too. */
  list: forEnvironment("Viewer").input(inEnvironment).output(z.array(apiKey)),
  /** The key is shown this once. */
  create: forEnvironment("Admin")
    .input(inEnvironment.extend({ name: z.string() }))
    .output(z.object({ key: z.string() })),
  /** Takes effect with the next request. */
  revoke: forEnvironment("Admin")
    .input(inEnvironment.extend({ id: z.uuid() }))
    .output(z.void()),
};
