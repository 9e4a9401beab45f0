/** The environment and key of a request, as far as the log needs them. */
export interface LoggedKey {
  environmentId: number;
  /** The environment's number of resets when the request began. */
  resets: number;
  keyId: string;
  /** Whether the environment's log keeps bodies. */
  keepsBodies: boolean;
}

/** A problem with a request or an item of it. */
export interface LoggedProblem {
  code: string;
  message: string;
  pointer?: string;
  parameter?: string;
}

/** The outcome of an item: accepted if it has an `eventId`. */
export interface ServedItem {
  eventId: string | null;
  /** The item's problems; empty if it was accepted. */
  errors: readonly LoggedProblem[];
}

/** The items of a request in the order sent, with their outcomes. */
export interface ServedItems {
  kind: "Event" | "MetricEvent";
  /** The instant of receipt on the environment's clock, epoch milliseconds. */
  receivedAt: number;
  items: readonly unknown[];
  results: readonly ServedItem[];
}

/** An answered request. */
export interface ServedRequest {
  key: LoggedKey;
  /** Whether the key is revoked. */
  isRevoked?: boolean;
  /** Epoch milliseconds, real time. */
  at: number;
  method: string;
  /** The path as in the contract, without the id of a player; null if no route matched. */
  route: string | null;
  /** Path and query as they were sent. */
  target: string;
  status: number;
  code: string | null;
  durationMs: number;
  traceId: string;
  /** The body as sent; empty if there was none. */
  body: string;
  /** The problems of a refused request; empty for any other. */
  problems: readonly LoggedProblem[];
  items: ServedItems | null;
  /** The number of its accepted items that the sampler has admitted; null if the sampler was not called. */
  admitted: number | null;
}

/** A row to be written to the log, with the names of its columns. */
export interface RequestEntry extends Pick<ServedRequest, "at" | "method" | "route" | "status" | "code" | "durationMs" | "traceId"> {
  environmentId: number;
  resets: number;
  id: string;
  keyId: string;
  accepted: number | null;
  refused: number | null;
  target: string | null;
  body: string | null;
  bodyLength: number;
  /** JSON: the problems of a refused request. */
  problem: string | null;
}

/** An item to be written to the tail. */
export interface ItemEntry {
  environmentId: number;
  resets: number;
  requestId: string;
  position: number;
  at: number;
  receivedAt: number;
  keyId: string;
  traceId: string;
  isMetric: boolean;
  player: string | null;
  event: string | null;
  part: number | null;
  playerId: string | null;
  /** Null if refused. */
  eventId: string | null;
  code: string | null;
  /** JSON; null if accepted. */
  errors: string | null;
  /** Null if the environment keeps no bodies. */
  payload: string | null;
}

/** The numbers of omitted entries. */
export interface Omitted {
  successes: number;
  errors: number;
  acceptedItems: number;
  refusedItems: number;
}

/** A request with its items, as the buffer keeps them together. */
export interface BufferedEntry {
  request: RequestEntry | null;
  items: ItemEntry[];
  isError: boolean;
  /** The characters of text in the entry. */
  size: number;
}

/** The characters of a body, a problem or an item that are kept. */
export const MAX_TEXT = 16 * 1024;
