import { lookup, Resolver, TIMEOUT } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { isPublicAddress, literalAddress } from "../model/webhooks/destination.ts";
import { type AnswerHead, isSuccess, keptBody, keptBytes, keptHeaders, MAX_BYTES } from "../model/webhooks/answer.ts";
import { readRetryAfter } from "../model/webhooks/outcome.ts";

/** Resolves a host name; rejects if it has no address. */
export type Resolve = (hostname: string) => Promise<string[]>;

export interface ClientOptions {
  /** For development and tests (`WEBHOOK_ALLOW_PRIVATE_ADDRESSES`). */
  allowPrivateAddresses: boolean;
  /** For the whole exchange, from the name lookup to the end of the answer. */
  timeoutMs?: number;
  resolve?: Resolve;
}

/** The result of a POST: the status of the response, or the cause of a failure. `retryAfter` is in milliseconds. */
export interface Exchange {
  status: number | null;
  retryAfter: number | null;
  error: string | null;
  timedOut: boolean;
  /** The beginning of the response; null if there is none, and for a success without a body. */
  answer: AnswerHead | null;
}

export interface WebhookClient {
  /** Never rejects. Redirects are not followed. */
  post(url: string, headers: Record<string, string>, body: string): Promise<Exchange>;
  /** Aborts running requests. */
  close(): Promise<void>;
}

export const TIMEOUT_MS = 15_000;

/** The only way out of this service to an address that a customer chose. */
export function openClient(options: ClientOptions): WebhookClient {
  const { timeoutMs = TIMEOUT_MS } = options;
  let agent: Promise<Agent> | null = null;
  return {
    async post(url, headers, body) {
      const { origin, pathname, search } = new URL(url);
      const opened = await (agent ??= openAgent(options));
      return new Promise((settle) => {
        const handler = new Post(timeoutMs, settle);
        opened.dispatch({ origin, path: pathname + search, method: "POST", headers, body }, handler);
      });
    },
    close: async () => (await agent)?.destroy(),
  };
}

/** Loads the library with the first request: its 110 modules would slow each start down. */
async function openAgent({ allowPrivateAddresses, timeoutMs = TIMEOUT_MS, resolve = resolveName }: ClientOptions): Promise<Agent> {
  const { Agent, buildConnector } = await import("undici");
  const connect = buildConnector({ lookup: guardedLookup(allowPrivateAddresses, resolve), timeout: timeoutMs, allowH2: false });
  return new Agent({
    connect: guarded(connect, allowPrivateAddresses),
    // One request per connection at a time: nothing may queue behind a receiver that hangs. The dispatcher bounds the connections.
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** One exchange, with a hand-written handler: half the work of `request()`, whose streams are not needed. */
class Post implements Dispatcher.DispatchHandler {
  readonly #settle: (exchange: Exchange) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status: number | null = null;
  #retryAfter: number | null = null;
  #received = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  readonly #head: Buffer[] = [];

  constructor(timeoutMs: number, settle: (exchange: Exchange) => void) {
    this.#settle = settle;
    this.#timer = setTimeout(() => this.#breakOff(`No complete answer within ${timeoutMs / 1000} s`), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Timed out while connecting: send nothing.
    if (this.#settled) controller.abort(new Error("timed out"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const retryAfter = headers["retry-after"];
    // A date is by the receiver's clock, as is that of its answer.
    if (typeof retryAfter === "string") this.#retryAfter = readRetryAfter(retryAfter, Date.parse(String(headers["date"])) || Date.now());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const kept = keptBytes(this.#status);
    if (this.#received < kept) this.#head.push(Buffer.from(chunk.subarray(0, kept - this.#received)));
    this.#received += chunk.length;
    // Longer responses are not read: the connection is closed.
    if (this.#received <= MAX_BYTES) return;
    this.#answer();
    controller.abort(new Error("longer than the service reads"));
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish({ status: null, retryAfter: null, error: describe(error), timedOut: isTimeout(error), answer: null });
  }

  #answer(): void {
    const isEmpty = this.#received === 0 && isSuccess(this.#status);
    this.#finish({
      status: this.#status,
      retryAfter: this.#retryAfter,
      error: null,
      timedOut: false,
      answer: isEmpty ? null : this.#kept(),
    });
  }

  #breakOff(error: string): void {
    this.#finish({ status: null, retryAfter: null, error, timedOut: true, answer: null });
    this.#controller?.abort(new Error(error));
  }

  #kept(): AnswerHead {
    const body = Buffer.concat(this.#head);
    return { headers: keptHeaders(this.#headers), body: keptBody(body), isCut: this.#received > body.length };
  }

  #finish(exchange: Exchange): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#settle(exchange);
  }
}

/**
 * Refuses private addresses as each connection is made: an address in the URL before connecting, a host name in the lookup of this
 * connection. Changing a name's address after registration does not get around it.
 */
function guarded(connect: buildConnector.connector, allowPrivateAddresses: boolean): buildConnector.connector {
  return (options, callback) => {
    const address = literalAddress(options.hostname);
    if (address !== null && !allowPrivateAddresses && !isPublicAddress(address)) callback(new RefusedAddress(options.hostname), null);
    else connect(options, callback);
  };
}

function guardedLookup(allowPrivateAddresses: boolean, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = found;
        if (first === undefined) callback(new Error(`${hostname} has no address`), "");
        else if (!allowPrivateAddresses && !addresses.every(isPublicAddress)) callback(new RefusedAddress(hostname), "");
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}

class RefusedAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} is, or points to, a private or local address`);
  }
}

const resolver = new Resolver({ timeout: 2000, tries: 2 });

/**
 * `localhost` is always the loopback address. Queries the name servers directly, and the system (with its hosts file) only for names that
 * they do not know. System lookups share four threads with the whole process, and a few names with dead name servers would block them.
 */
export const resolveName: Resolve = async (hostname) => {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ["127.0.0.1", "::1"];
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const timedOut = answers.find((answer) => answer.status === "rejected" && answer.reason.code === TIMEOUT);
  if (timedOut?.status === "rejected") throw timedOut.reason;
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
};

const isTimeout = (error: Error): boolean => (error as NodeJS.ErrnoException).code === "UND_ERR_CONNECT_TIMEOUT";

/** The cause in plain words, for the page of a delivery. */
function describe(error: Error): string {
  const inner = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return inner.message.replaceAll(/\p{Cc}+/gu, " ").slice(0, 200);
}
