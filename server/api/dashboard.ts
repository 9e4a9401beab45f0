import { createRouterClient, ORPCError, type RouterClient } from "@orpc/server";
import { isUnavailable } from "../../db/client.ts";
import { findImage } from "../authoring/images/service.ts";
import { ChangeRequested } from "../model/definitions/change-requests.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { DashboardContext } from "./access.ts";
import { withinBudget } from "./answer-budget.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { sessionIdOf } from "./credentials.ts";
import type { Credentials } from "./caller.ts";
import { dashboardRouter } from "./rpc/router.ts";
import { type SignInService, type SignInOptions, openSignIn } from "./sign-in.ts";
import type { Logger } from "./log.ts";
import { createExports, type Exports } from "./exports.ts";
import { createRpc, type Rpc } from "./handle-rpc.ts";

/** The procedures of the dashboard as a browser calls them. */
export type DashboardClient = RouterClient<typeof dashboardRouter>;

/**
 * The service as the pages see it. It lives in the process's module graph, the pages in Next's, so only plain data crosses, and classes are
 * never compared across the boundary.
 */
export interface Dashboard {
  /** Answers a call, of a browser or by a token: /rpc/<domain>/<procedure>. */
  rpc: Rpc;
  /** Answers /rpc/exports/<list>: lists as files. */
  exports: Exports;
  /** The session in a browser's cookies, ended or not; null without a valid token. */
  sessionIdOf(cookie: string | undefined): Promise<string | null>;
  /** The same procedures, for server-rendered pages. */
  client(sessionId: string | null): DashboardClient;
  /** Calls for signed-out users. */
  signInService: SignInService;
  /**
   * An uploaded image, for /images/<id>; null if there is none. "busy": too many are asked for, or the database cannot be reached. A
   * request that is aborted no longer waits.
   */
  image(id: string, signal: AbortSignal): Promise<{ type: string; bytes: Uint8Array } | "busy" | null>;
}

interface DashboardOptions
  extends Omit<DashboardContext, keyof Credentials>, Omit<SignInOptions, "database" | "baseUrl" | "cipher" | "mailer" | "logger"> {
  logger: Logger;
}

export function openDashboard({ logger, authSecret, providers, addressOf, ...process }: DashboardOptions): Dashboard {
  const translateErrors = async <T>({ next }: { next(): Promise<T> }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      const known = error instanceof OperatorError ? refusal(error, process.baseUrl) : isUnavailable(error) ? UNAVAILABLE() : error;
      if (!(known instanceof ORPCError)) logger.error({ err: error }, "unforeseen fault of the dashboard");
      throw known;
    }
  };
  // Anyone may ask for images, of up to 1 MiB each: they take a quarter of the connections, or one, so that the screens have the others.
  const images = new ConcurrencyLimiter({ inFlight: Math.ceil(process.database.sql.options.max / 4), waiting: MAX_WAITING_IMAGES });
  const imageTurn = (signal: AbortSignal) =>
    images.acquire(IMAGES, {
      whenAbandoned: (leave) => (signal.aborted ? leave() : signal.addEventListener("abort", leave, { once: true })),
    });
  const signInService = openSignIn({ ...process, logger, authSecret, providers, addressOf });
  return {
    signInService,
    rpc: createRpc({ context: process, token: signInService.settings, translateErrors }),
    exports: createExports({
      database: process.database,
      baseUrl: process.baseUrl,
      token: signInService.settings,
      translateErrors,
      logger,
    }),
    sessionIdOf: (cookie) => sessionIdOf(cookie, signInService.settings),
    async image(id, signal) {
      try {
        await imageTurn(signal);
      } catch {
        return "busy";
      }
      try {
        return await findImage(process.database, id);
      } catch (error) {
        if (isUnavailable(error)) return "busy";
        throw error;
      } finally {
        images.release(IMAGES);
      }
    },
    client: (sessionId) =>
      createRouterClient(dashboardRouter, { context: { ...process, sessionId }, interceptors: [translateErrors, withinBudget] }),
  };
}

const IMAGES = "images";
const MAX_WAITING_IMAGES = 200;

/** The database is unreachable or has no free connection: the caller retries, and there is no fault to investigate. */
const UNAVAILABLE = () =>
  new ORPCError("SERVICE_UNAVAILABLE", { message: "The database cannot be reached right now. Try again in a moment." });

/** An operator error as a readable message for the caller; if the call became a change request, with that request's address. */
function refusal(error: OperatorError, baseUrl: string): ORPCError<string, unknown> {
  const { message, problems } = error;
  if (!(error instanceof ChangeRequested)) return new ORPCError("REFUSED", { status: 422, message, data: { problems } });
  const { requestId, path } = error;
  return new ORPCError("REQUESTED", { status: 422, message: `${message} ${baseUrl}${path}`, data: { requestId, path } });
}
