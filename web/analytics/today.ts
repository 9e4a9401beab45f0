import { localDate, parseInstant } from "../../server/model/kernel/time.ts";
import type { Scope } from "../client/address.ts";
import { orLeave, serverRpc } from "../client/server.tsx";

/** Today's date on the environment's clock, in the project's zone. */
export async function todayIn({ project, environment }: Scope): Promise<string> {
  const { now, timeZone } = await orLeave((await serverRpc()).projects.place({ project }));
  return localDate(parseInstant(now[environment])!, timeZone);
}
