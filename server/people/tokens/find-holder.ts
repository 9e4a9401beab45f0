import type { Database } from "#db/client.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import * as store from "./store.ts";
import { bearerToken, type CallingToken, hashOfToken } from "../../model/tokens/token.ts";

/** A person who calls with a token. */
export interface TokenHolder {
  person: { userId: string; email: string };
  token: CallingToken;
}

/**
 * The holder of a token. Uncached, so that a revocation, an expiry and the end of the membership take effect with the next call. `refusal`
 * is the reason in words.
 */
export async function findTokenHolder({ sql }: Database, authorization: string): Promise<TokenHolder | { refusal: string }> {
  const token = bearerToken(authorization);
  const row = token === null ? null : await store.selectHeldToken(sql, hashOfToken(token));
  if (row === null)
    return { refusal: "This token is malformed or unknown, or its maker is no member any more. API keys open nothing here." };
  if (row.isRevoked) return { refusal: `The token "${row.name}" was revoked.` };
  if (row.isExpired) return { refusal: `The token "${row.name}" expired at ${formatInstant(row.expiresAt)}. Make a new one.` };
  // Only shown in the dashboard: the call neither waits for it nor fails with it.
  if (row.isUseDue) store.touchToken(sql, row.id).catch(() => {});
  const { userId, email, id, name, role, projectId, projectSlug, environment, expiresAt } = row;
  return { person: { userId, email }, token: { id, name, role, projectId, projectSlug, environment, expiresAt } };
}
