import { pino } from "pino";
import { isUnavailable } from "../../db/client.ts";
import { withoutSecrets } from "../model/kernel/secrets.ts";
import type { ServedRequest } from "../model/request-log/entry.ts";

export type Logger = pino.Logger;

/**
 * Structured logs to standard output, one JSON object a line; written asynchronously in small batches, so that a slow log reader delays no
 * request.
 */
export function createLogger(level: string, destination: pino.DestinationStream = standardOutput()): Logger {
  const hooks = { logMethod: withoutRepeats() };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeFault }, hooks }, destination);
}

/** How long a line about an unavailable database is not repeated. */
const REPEAT_MS = 10_000;

/** While the database is unavailable, every job fails with each poll: twenty warnings a second, each of which is logged once in a while. */
function withoutRepeats(): NonNullable<pino.LoggerOptions["hooks"]>["logMethod"] {
  const loggedAt = new Map<string, number>();
  return function logMethod(args, method, level) {
    const [fields, message] = args as unknown as [unknown, unknown];
    const { err, lane: _, ...subject } = Object(fields) as { err?: { code?: unknown }; lane?: unknown };
    // Lines about something by its id are all kept.
    if (level === pino.levels.values["warn"] && isUnavailable(err) && Object.keys(subject).length === 0) {
      const line = `${String(message)} ${String(err?.code)}`;
      const now = performance.now();
      if (now - (loggedAt.get(line) ?? -Infinity) < REPEAT_MS) return;
      loggedAt.set(line, now);
    }
    method.apply(this, args);
  };
}

const standardOutput = () => pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 });

/**
 * The destination of a logger's lines. Other threads' loggers write there too: separate writers to one file would interleave their lines.
 */
export const destinationOf = (logger: Logger): pino.DestinationStream =>
  (logger as unknown as Record<symbol, pino.DestinationStream>)[pino.symbols.streamSym]!;

export interface RequestLine extends Pick<ServedRequest, "method" | "route" | "status" | "durationMs" | "traceId"> {
  environment: number | null;
  code?: string;
}

/** The one line of a request: never a key, a secret, a query or a body. */
export function logRequest(logger: Logger, { durationMs, ...line }: RequestLine): void {
  logger.info({ ...line, durationMs: Math.round(durationMs * 100) / 100 }, "request");
}

/**
 * Logs only the error's location: PostgreSQL's `detail`, for example, repeats the row that it refused. While the database is unavailable,
 * the stack shows only the driver.
 */
function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
  const { name, message, stack, cause } = error;
  // Drizzle's message includes the query's parameters; the actual error is the cause.
  if ("params" in error && cause instanceof Error) return describeFault(cause);
  const code = "code" in error ? error.code : undefined;
  const constraint = "constraint_name" in error ? error.constraint_name : undefined;
  const safe = { message: withoutSecrets(message), stack: isUnavailable(error) ? undefined : stack && withoutSecrets(stack) };
  return { name, code, constraint, ...safe, ...(cause === undefined ? {} : { cause: describeFault(cause) }) };
}
