import type { Database } from "../db/client.ts";
import { ensureDemo, type Demo } from "./demo/load.ts";
import { ensureFirstOwner, type SignIn } from "./projects/service.ts";
import type { Settings } from "./settings.ts";

/** What a first start makes and shows this once; null what is there already. */
export interface FirstStart {
  owner: SignIn | null;
  demo: Demo | null;
}

/** Makes the first owner and the demo project on an empty database; of several processes at once one does. Throws Refused. */
export async function prepareFirstStart(database: Database, { owner, demo }: Settings): Promise<FirstStart> {
  return { owner: await ensureFirstOwner(database, owner), demo: demo ? await ensureDemo(database) : null };
}
