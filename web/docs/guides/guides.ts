import { boardSteps } from "./boards-steps.ts";
import { approvalSteps, asCodeSteps, goingLiveSteps, typesSteps, webhookSteps } from "./commands.ts";
import type { Steps } from "./exchange.ts";
import { firstEventSteps } from "./first-event-steps.ts";
import { missionSteps } from "./missions-steps.ts";
import { clockSteps } from "./sandbox-clock-steps.ts";
import { shopSteps } from "./shop-steps.ts";

/** The steps of each guide. Its page shows only code of these steps, so that all of it is tested. */
export const GUIDES: Readonly<Record<string, (now: number) => Steps>> = {
  "/docs/guides/first-event": firstEventSteps,
  "/docs/guides/missions": missionSteps,
  "/docs/guides/shop": shopSteps,
  "/docs/guides/leaderboards-and-streaks": boardSteps,
  "/docs/guides/webhooks": webhookSteps,
  "/docs/guides/sandbox-clock": clockSteps,
  "/docs/guides/going-live": goingLiveSteps,
  "/docs/guides/definitions-as-code": asCodeSteps,
  "/docs/guides/typed-clients": typesSteps,
  "/docs/guides/approvals": approvalSteps,
};
