import { createRouterClient, ORPCError, type RouterClient } from "@orpc/server";
import { BodyLimitPlugin, RPCHandler } from "@orpc/server/fetch";
import { SimpleCsrfProtectionHandlerPlugin } from "@orpc/server/plugins";
import { findImage } from "../definitions/service/images.ts";
import { Refused } from "../kernel/refused.ts";
import type { DashboardContext } from "./access.ts";
import { dashboardRouter } from "./dashboard-router.ts";
import { type Entrance, type EntranceOptions, openEntrance } from "./entrance.ts";
import type { Logger } from "./log.ts";

/** The procedures of the dashboard as a browser calls them. */
export type DashboardClient = RouterClient<typeof dashboardRouter>;

/**
 * What the pages know of the service. It lives in the module graph of the process, the pages in Next's: only plain data
 * crosses, and no class is compared over the border.
 */
export interface Dashboard {
  /** Answers a call of a browser: /rpc/<domain>/<procedure>. */
  answer(request: Request, sessionId: string | null): Promise<Response>;
  /** The same procedures, for pages that are rendered here. */
  client(sessionId: string | null): DashboardClient;
  /** What there is for people who are not signed in yet. */
  entrance: Entrance;
  /** An uploaded image, for /images/<id>; null where there is none. */
  image(id: string): Promise<{ type: string; bytes: Uint8Array } | null>;
}

interface DashboardOptions
  extends Omit<DashboardContext, "sessionId">, Omit<EntranceOptions, "database" | "baseUrl" | "mailer" | "logger"> {
  logger: Logger;
}

/** Definitions files are sent whole; nothing else comes near it. */
const LARGEST_BODY = 16 * 1024 * 1024;

export function openDashboard({ logger, authSecret, providers, addressOf, ...process }: DashboardOptions): Dashboard {
  const explained = async <T>({ next }: { next(): Promise<T> }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      const known = error instanceof Refused ? refusal(error) : error;
      if (!(known instanceof ORPCError)) logger.error({ err: error }, "unforeseen fault of the dashboard");
      throw known;
    }
  };
  const handler = new RPCHandler<DashboardContext>(dashboardRouter, {
    plugins: [new SimpleCsrfProtectionHandlerPlugin(), new BodyLimitPlugin({ maxBodySize: LARGEST_BODY })],
    clientInterceptors: [explained],
  });
  return {
    entrance: openEntrance({ ...process, logger, authSecret, providers, addressOf }),
    async answer(request, sessionId) {
      const { response } = await handler.handle(request, { prefix: "/rpc", context: { ...process, sessionId } });
      return response ?? new Response("There is no such procedure.\n", { status: 404 });
    },
    image: (id) => findImage(process.database, id),
    client: (sessionId) => createRouterClient(dashboardRouter, { context: { ...process, sessionId }, interceptors: [explained] }),
  };
}

/** What cannot be done, in words for the person who asked. */
const refusal = ({ message, problems }: Refused): ORPCError<string, unknown> =>
  new ORPCError("REFUSED", { status: 422, message, data: { problems } });

const SLOT = Symbol.for("engagement-service.dashboard");
const held = globalThis as { [SLOT]?: Dashboard };

/** Gives this process's dashboard to its pages. */
export function provideDashboard(dashboard: Dashboard): void {
  held[SLOT] = dashboard;
}

/** What `provideDashboard` gave; null where the service runs on Next alone (serverless.ts). */
export const providedDashboard = (): Dashboard | null => held[SLOT] ?? null;
