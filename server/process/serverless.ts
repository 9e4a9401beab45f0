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
import { answerRpc, type ApiHandler, createApiHandler } from "../api/fetch.ts";
import { hardened } from "../api/hardened.ts";
import { createLogger } from "../api/log.ts";
import { problemBody } from "../api/problems.ts";
import { traceIdOf } from "../api/trace-context.ts";

/** The service without a process of its own, as the Next routes use it. */
export interface Serverless {
  /** The public API. Facts that a request queued are applied after its answer. */
  answer: ApiHandler;
  /** The dashboard's own procedures. Throws OperatorError if it is not set up. */
  answerRpc: ApiHandler;
  /** Runs one kind of job, for a scheduler that sends CRON_SECRET. */
  runWork(name: string, authorization: string | null): Promise<Response>;
  /** The service for the dashboard's pages. Throws OperatorError if it is not set up. */
  dashboard(): Dashboard;
}

/** Runs work after the answer is sent; the platform keeps the process alive until then. Next's `after`. */
type Later = (work: () => Promise<void>) => void;

/**
 * How long to work after an answer, and for a scheduler; running work is then finished (vercel.json gives both 60 s). Both exceed the
 * timeout of a webhook attempt: an attempt cut off is not recorded, and would repeat for ever.
 */
const AFTER_MS = 20_000;
const SCHEDULED_MS = 45_000;

/** There are many such processes, mostly idle, so unused connections are closed. */
const IDLE_SECONDS = 20;

const SLOT = Symbol.for("engagement-service.serverless");

/**
 * One per process. Next may load these modules once per route, so shared state, above all the pool, is stored on the process and uses the
 * classes of the modules that created it.
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
  const work = { database: pools.facts, deliveriesDatabase: pools.deliveries, logger, allowPrivateAddresses, baseUrl, cipher, mail };
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
    // The socket is not visible here: without a trusted proxy the address is unknown.
    addressOf: (headers) => clientAddress(null, headers.get("x-forwarded-for"), trustProxy),
  });
  return {
    dashboard: () => dashboard,
    async answer(request) {
      const response = await api(request);
      if (!requestLog.isEmpty) later(() => requestLog.flush());
      // The platform may freeze this process once it has answered.
      logger.flush();
      return response;
    },
    answerRpc: (request) => answerRpc(dashboard, request),
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
      // A scheduler only sees the status: work that could not even begin, such as without a database, is no success.
      return Response.json(drained, { status: drained!.isThrough || drained!.done > 0 ? 200 : 503, headers });
    },
  };
}

const NOT_STORED = { "Cache-Control": "no-store" };

const inWords = (status: number, text: string, headers: Record<string, string>): Response =>
  new Response(`${text}\n`, { status, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" } });

/** Compares hashes, so that timing reveals neither the secret nor its length. */
const isBearer = (authorization: string | null, secret: string): boolean =>
  timingSafeEqual(hash(authorization ?? ""), hash(`Bearer ${secret}`));

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Answers until the settings are fixed. The reason is only in the log. */
const NOT_SET_UP: Serverless = {
  async answer({ url, headers }) {
    const { origin, pathname } = new URL(url);
    const unavailable = problem("service.unavailable", "The service is not configured; its log names the missing settings.");
    const body = problemBody(unavailable, { baseUrl: origin, path: pathname, traceId: traceIdOf(headers.get("traceparent") ?? undefined) });
    return Response.json(body, { status: body.status, headers: { ...NOT_STORED, "Content-Type": "application/problem+json" } });
  },
  answerRpc: async () => notSetUp(),
  runWork: async () => inWords(503, "The service is not configured; its log names the missing settings.", NOT_STORED),
  dashboard: () => notSetUp(),
};

function notSetUp(): never {
  throw new OperatorError("The service is not configured; its log names the missing settings.");
}
