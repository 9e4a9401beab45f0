import { localDate, parseInstant } from "../../server/model/kernel/time.ts";
import type { Scope } from "../client/address.ts";
import { orLeave, serverRpc } from "../client/server.tsx";
import type { ReportPath } from "./reports.ts";

/** Today's date in the project's zone: for a report on webhooks, which are sent in real time, that of Live, else on the environment's clock. */
export async function todayIn({ project, environment }: Scope, report?: ReportPath): Promise<string> {
  const { now, timeZone } = await orLeave((await serverRpc()).projects.place({ project }));
  return localDate(parseInstant(now[report === "webhooks" ? "live" : environment])!, timeZone);
}
