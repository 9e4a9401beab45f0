import type { Database } from "#db/client.ts";
import { hasRequest } from "./store.ts";

/** Whether the change of an idempotent request was already made in an environment. */
export const isMade = ({ sql }: Database, environmentId: number, requestId: string): Promise<boolean> =>
  hasRequest(sql, environmentId, requestId);
