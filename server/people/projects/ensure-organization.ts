import type { Sql } from "#db/client.ts";
import * as store from "./store.ts";

const FIRST_ORGANIZATION = "main";

/** The organization of that slug, or the first one; created if missing. */
export async function ensureOrganization(sql: Sql, slug?: string): Promise<{ id: string }> {
  const found = await store.selectOrganization(sql, slug);
  if (found) return found;
  await store.insertOrganization(sql, slug ?? FIRST_ORGANIZATION);
  const created = await store.selectOrganization(sql, slug);
  if (!created) throw new Error("The organization was removed while it was created.");
  return created;
}
