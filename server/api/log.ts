import { pino } from "pino";
import { withoutSecrets } from "../model/kernel/secrets.ts";

export type Logger = pino.Logger;

/** Structured logs to standard output, one JSON object a line; written in small lots and never waited for, so that a slow reader of the log holds up no request. */
export function createLogger(level: string, destination: pino.DestinationStream = standardOutput()): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeFault } }, destination);
}

const standardOutput = () => pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 });

/** Where a logger writes its lines. Loggers of other threads write there too: two that write to one file by themselves would mix their lines. */
export const destinationOf = (logger: Logger): pino.DestinationStream =>
  (logger as unknown as Record<symbol, pino.DestinationStream>)[pino.symbols.streamSym]!;

export interface RequestLine {
  method: string;
  /** The path as the contract has it, so that no id of a player gets into the log; null where none matched. */
  route: string | null;
  status: number;
  durationMs: number;
  environment: number | null;
  traceId: string;
  code?: string;
}

/** The one line of a request: never a key, a secret, a query or a body. */
export function logRequest(logger: Logger, { durationMs, ...line }: RequestLine): void {
  logger.info({ ...line, durationMs: Math.round(durationMs * 100) / 100 }, "request");
}

/** The log gets only the error's location: PostgreSQL's `detail`, for one, repeats the row that it refused. */
function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
  const { name, message, stack, cause } = error;
  // Drizzle's message has the parameters of the query in it; what went wrong is in the cause.
  if ("params" in error && cause instanceof Error) return describeFault(cause);
  const code = "code" in error ? error.code : undefined;
  const constraint = "constraint_name" in error ? error.constraint_name : undefined;
  const told = { message: withoutSecrets(message), stack: stack && withoutSecrets(stack) };
  return { name, code, constraint, ...told, ...(cause === undefined ? {} : { cause: describeFault(cause) }) };
}
