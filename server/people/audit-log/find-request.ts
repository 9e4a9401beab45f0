import type { Database } from "#db/client.ts";
import { hasRequest } from "./store.ts";

/** Whether a change that is made once for each request has been made in an environment. */
export const isMade = ({ sql }: Database, environmentId: number, requestId: string): Promise<boolean> =>
  hasRequest(sql, environmentId, requestId);
