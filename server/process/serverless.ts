import { createHash, timingSafeEqual } from "node:crypto";
import { openPools, SERVERLESS_POOLS } from "../../db/pools.ts";
import { problem } from "../model/kernel/problem.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { RequestRecorder } from "../insight/request-log/service/recorder.ts";
import { withoutAuthSecret } from "./auth-secret.ts";
import { readSettings } from "./settings.ts";
import { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import { createDrain, drain, findJob } from "../operations/worker/drain.ts";
import { clientAddress, startWarning } from "../api/client-address.ts";
import { type Dashboard, openDashboard } from "../api/dashboard.ts";
import { mailerOf } from "../api/sign-in.ts";
import { type ApiHandler, createApiHandler } from "../api/fetch.ts";
import { hardened } from "../api/hardened.ts";
import { createLogger } from "../api/log.ts";
import { problemBody } from "../api/problems.ts";
import { traceIdOf } from "../api/trace.ts";

/** The service where no process of its own runs: what the routes of Next answer with. */
export interface Serverless {
  /** The public API. Facts that a request queued are applied after its answer. */
  answer: ApiHandler;
  /** Works off one kind of work, for a scheduler that sends CRON_SECRET. */
  runWork(name: string, authorization: string | null): Promise<Response>;
  /** The service as the dashboard's pages know it. Throws OperatorError where it is not set up. */
  dashboard(): Dashboard;
}

/** Has something done after the answer is sent; the platform lets the process live until then. Next's `after`. */
type Later = (work: () => Promise<void>) => void;

/**
 * How long to work after an answer, and for a scheduler; what is in hand then is finished (vercel.json gives both 60 s). Both are longer
 * than a receiver of webhooks may take: an attempt that is broken off counts as none, and would be made again for ever.
 */
const AFTER_MS = 20_000;
const SCHEDULED_MS = 45_000;

/** There are many such processes, most of them idle: each gives connections back that it does not use. */
const IDLE_SECONDS = 20;

const SLOT = Symbol.for("engagement-service.serverless");

/**
 * This process's one. Next may load these modules once for each route; what the routes share, the pool first of all, is held by the
 * process itself, and works with the classes of the modules that made it.
 */
export function serverless(later: Later): Serverless {
  const held = globalThis as { [SLOT]?: Serverless };
  return (held[SLOT] ??= open(later));
}

function open(later: Later): Serverless {
  try {
    return openService(readSettings(), later);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    for (const line of error.problems) process.stderr.write(`${line}\n`);
    return NOT_SET_UP;
  }
}

function openService(settings: ReturnType<typeof readSettings>, later: Later): Serverless {
  const { databaseUrl, baseUrl, logLevel, allowPrivateAddresses, cronSecret, authSecret, previousAuthSecret, providers, trustProxy } =
    settings;
  if (databaseUrl === undefined) throw new OperatorError("DATABASE_URL must be set: the embedded PostgreSQL needs a process that stays.");
  if (authSecret === undefined) throw withoutAuthSecret();
  const logger = createLogger(logLevel);
  const cipher = new SecretCipher(authSecret, previousAuthSecret);
  const sizes = { ...SERVERLESS_POOLS, ...settings.pools };
  const pools = openPools(databaseUrl, { sizes, waitMs: settings.poolWaitMs, idleSeconds: IDLE_SECONDS });
  const mailer = mailerOf(settings, logger);
  const mail = mailer && { mailer, baseUrl };
  const work = { database: pools.facts, deliveriesDatabase: pools.deliveries, logger, allowPrivateAddresses, cipher, mail };
  const warning = startWarning(settings);
  if (warning !== null) logger.warn({}, warning);
  const drainAll = createDrain(work, AFTER_MS);
  const requestLog = new RequestRecorder(pools.dashboard, { logger });
  const api = createApiHandler({ database: pools.requests, baseUrl, logger, wake: () => later(drainAll), requestLog });
  const dashboard = openDashboard({
    database: pools.dashboard,
    baseUrl,
    logger,
    allowPrivateAddresses,
    cipher,
    wake: () => later(drainAll),
    mailer,
    authSecret,
    providers,
    // Nothing here has seen the socket: without a proxy to believe, nobody knows.
    addressOf: (headers) => clientAddress(null, headers.get("x-forwarded-for"), trustProxy),
  });
  return {
    dashboard: () => dashboard,
    async answer(request) {
      const response = await api(request);
      if (!requestLog.isEmpty) later(() => requestLog.flush());
      // The platform may stop the clock of this process as soon as it has answered.
      logger.flush();
      return response;
    },
    async runWork(name, authorization) {
      const headers = { ...hardened(baseUrl), ...NOT_STORED };
      const words = (status: number, text: string) => inWords(status, text, headers);
      if (cronSecret === undefined) return words(503, "Set CRON_SECRET to have work done by a scheduler.");
      if (!isBearer(authorization, cronSecret)) return words(401, "This needs the header Authorization: Bearer <CRON_SECRET>.");
      const kind = findJob(name);
      if (kind === null) return words(404, `There is no work named ${name}.`);
      const [drained] = await drain(work, [kind], SCHEDULED_MS);
      logger.info(drained, "drained");
      logger.flush();
      return Response.json(drained, { headers });
    },
  };
}

const NOT_STORED = { "Cache-Control": "no-store" };

const inWords = (status: number, text: string, headers: Record<string, string>): Response =>
  new Response(`${text}\n`, { status, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" } });

/** Compared by their hashes: the time it takes says nothing about the secret, nor about its length. */
const isBearer = (authorization: string | null, secret: string): boolean =>
  timingSafeEqual(hash(authorization ?? ""), hash(`Bearer ${secret}`));

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Until somebody has put the settings right: why is in the log, and nobody else's business. */
const NOT_SET_UP: Serverless = {
  async answer({ url, headers }) {
    const { origin, pathname } = new URL(url);
    const unavailable = problem("service.unavailable", "The service is not set up; its log says what is missing.");
    const body = problemBody(unavailable, { baseUrl: origin, path: pathname, traceId: traceIdOf(headers.get("traceparent") ?? undefined) });
    return Response.json(body, { status: body.status, headers: { ...NOT_STORED, "Content-Type": "application/problem+json" } });
  },
  runWork: async () => inWords(503, "The service is not set up; its log says what is missing.", NOT_STORED),
  dashboard() {
    throw new OperatorError("The service is not set up; its log says what is missing.");
  },
};
