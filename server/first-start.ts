import type { Database } from "../db/client.ts";
import { ensureFirstOwner, type SignIn } from "./projects/service.ts";
import type { Settings } from "./settings.ts";

/** What is made on the first start, and shown this once. */
export interface FirstStart {
  owner: SignIn | null;
  /** A key of the demo project's Sandbox. */
  sandboxKey: string | null;
}

/** Makes the first owner and the demo project where there is neither yet; of several processes at once one does. */
export async function prepareFirstStart(database: Database, { owner, demo }: Settings): Promise<FirstStart> {
  return { owner: await ensureFirstOwner(database, owner), sandboxKey: demo ? null : null };
}
