import { createRouterClient, ORPCError, type RouterClient } from "@orpc/server";
import { isUnavailable } from "../../db/errors.ts";
import { findImage } from "../images/service.ts";
import { Refused } from "../kernel/refused.ts";
import type { DashboardContext } from "./access.ts";
import { sessionIdOf } from "./asking.ts";
import type { Credentials } from "./caller.ts";
import { dashboardRouter } from "./dashboard-router.ts";
import { type Entrance, type EntranceOptions, openEntrance } from "./entrance.ts";
import type { Logger } from "./log.ts";
import { createRpc, type Rpc } from "./rpc.ts";

/** The procedures of the dashboard as a browser calls them. */
export type DashboardClient = RouterClient<typeof dashboardRouter>;

/**
 * What the pages know of the service. It lives in the module graph of the process, the pages in Next's: only plain data
 * crosses, and no class is compared over the border.
 */
export interface Dashboard {
  /** Answers a call, of a browser or by a token: /rpc/<domain>/<procedure>. */
  rpc: Rpc;
  /** The session that a browser's cookies name, over or not; null without a token of ours. */
  sessionIdOf(cookie: string | undefined): Promise<string | null>;
  /** The same procedures, for pages that are rendered here. */
  client(sessionId: string | null): DashboardClient;
  /** What there is for people who are not signed in yet. */
  entrance: Entrance;
  /** An uploaded image, for /images/<id>; null where there is none. */
  image(id: string): Promise<{ type: string; bytes: Uint8Array } | null>;
}

interface DashboardOptions
  extends Omit<DashboardContext, keyof Credentials>, Omit<EntranceOptions, "database" | "baseUrl" | "mailer" | "logger"> {
  logger: Logger;
}

export function openDashboard({ logger, authSecret, providers, addressOf, ...process }: DashboardOptions): Dashboard {
  const explained = async <T>({ next }: { next(): Promise<T> }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      const known = error instanceof Refused ? refusal(error) : isUnavailable(error) ? UNAVAILABLE() : error;
      if (!(known instanceof ORPCError)) logger.error({ err: error }, "unforeseen fault of the dashboard");
      throw known;
    }
  };
  const entrance = openEntrance({ ...process, logger, authSecret, providers, addressOf });
  return {
    entrance,
    rpc: createRpc({ context: process, token: entrance.settings, explained }),
    sessionIdOf: (cookie) => sessionIdOf(cookie, entrance.settings),
    image: (id) => findImage(process.database, id),
    client: (sessionId) => createRouterClient(dashboardRouter, { context: { ...process, sessionId }, interceptors: [explained] }),
  };
}

const UNAVAILABLE = () =>
  new ORPCError("SERVICE_UNAVAILABLE", { message: "The database cannot be reached right now. Try again in a moment." });

/** What cannot be done, in words for the person who asked. */
const refusal = ({ message, problems }: Refused): ORPCError<string, unknown> =>
  new ORPCError("REFUSED", { status: 422, message, data: { problems } });

/** The database cannot be reached, or has no connection to spare: nothing to look into, but to be tried again. */
const SLOT = Symbol.for("engagement-service.dashboard");
const held = globalThis as { [SLOT]?: Dashboard };

/** Gives this process's dashboard to its pages. */
export function provideDashboard(dashboard: Dashboard): void {
  held[SLOT] = dashboard;
}

/** What `provideDashboard` gave; null where the service runs on Next alone (serverless.ts). */
export const providedDashboard = (): Dashboard | null => held[SLOT] ?? null;
