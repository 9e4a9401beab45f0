import type { IncomingMessage } from "node:http";
import { parseJsonInSteps } from "../model/kernel/json.ts";
import { problem } from "../model/kernel/problem.ts";
import { inTurns } from "../engine/turns.ts";

export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The limit for page forms: only signed-out users send them, some hundred bytes each. */
export const MAX_FORM_BYTES = 16 * 1024;

/** The body took too long to arrive. */
export class TooSlow extends Error {}

/** Too many bodies are arriving for this one to be accepted. */
export class Crowded extends Error {}

/** The client disconnected before its request had arrived. */
export class Aborted extends Error {}

export interface Arrival {
  /** Aborts the wait. */
  late?: AbortSignal;
  /** Called with the number of buffered bytes as they arrive; false: the limit is reached. */
  take?(bytes: number): boolean;
}

/**
 * Reads a request's body, up to a limit, as text, for any Content-Type. Problems: request.too_large, request.malformed (not UTF-8).
 * Throws Aborted, TooSlow on `late`, and Crowded.
 */
export async function readText(request: IncomingMessage, maxBytes: number, arrival: Arrival): Promise<string> {
  const body = new ArrivingBody(maxBytes, request.headers["content-length"], arrival);
  await takeAll(request, body, arrival.late);
  return body.text();
}

/** Uses events: leaving an iteration early would close the connection before the response. */
function takeAll(request: IncomingMessage, body: ArrivingBody, late?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new Aborted());
    const giveUp = () => {
      body.drop();
      reject(new TooSlow());
    };
    late?.addEventListener("abort", giveUp, { once: true });
    // An oversized body is read and discarded, so that the connection stays usable.
    request.on("data", (chunk: Uint8Array) => {
      const refusal = body.take(chunk);
      if (refusal !== null) reject(refusal);
    });
    request.on("end", resolve);
    request.on("error", () => reject(new Aborted()));
    request.on("close", () => request.complete || reject(new Aborted()));
  });
}

/** Reads the body of a fetch request in the same way. */
export async function readFetchedText({ headers, signal, body: stream }: Request, maxBytes: number, arrival: Arrival): Promise<string> {
  const { late } = arrival;
  const reader = stream?.getReader();
  let body: ArrivingBody;
  try {
    body = new ArrivingBody(maxBytes, headers.get("content-length"), arrival);
  } catch (refusal) {
    // Node.js would close the connection after the response if the body stayed unread.
    if (reader) void dropRest(reader);
    throw refusal;
  }
  if (signal.aborted) throw new Aborted();
  // Ends a pending read as if the body had ended.
  late?.addEventListener("abort", () => void reader?.cancel().catch(() => {}), { once: true });
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      throw new Aborted();
    });
    if (late?.aborted) throw new TooSlow();
    if (!chunk || chunk.done) return body.text();
    const refusal = body.take(chunk.value);
    if (refusal === null) continue;
    void dropRest(reader!);
    throw refusal;
  }
}

async function dropRest(reader: ReadableStreamDefaultReader): Promise<void> {
  const isOver = () =>
    reader.read().then(
      ({ done }) => done,
      () => true,
    );
  while (!(await isOver()));
}

/** An arriving body, buffered up to the limit. */
class ArrivingBody {
  readonly #chunks: Uint8Array[] = [];
  readonly #maxBytes: number;
  readonly #takeUp: NonNullable<Arrival["take"]>;
  #size = 0;

  /** @param announced The Content-Length, if any. Problem request.too_large. */
  constructor(maxBytes: number, announced: string | null | undefined, { take = () => true }: Arrival) {
    this.#maxBytes = maxBytes;
    this.#takeUp = take;
    if (Number(announced ?? 0) > maxBytes) throw tooLarge(maxBytes);
  }

  /** Buffers a chunk; returns the reason to refuse the body, null if there is none. */
  take(chunk: Uint8Array): Error | null {
    this.#size += chunk.length;
    const refusal = this.#size > this.#maxBytes ? tooLarge(this.#maxBytes) : this.#takeUp(chunk.length) ? null : new Crowded();
    if (refusal === null) this.#chunks.push(chunk);
    else this.drop();
    return refusal;
  }

  /** Discards what has arrived and accepts no more. */
  drop(): void {
    this.#size = Infinity;
    this.#chunks.length = 0;
  }

  /** The whole body, once it has arrived. Problem request.malformed. */
  text(): string {
    return decodeUtf8(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
  }
}

/** Parses a body's JSON, yielding to other requests if it is large. Problem request.malformed for invalid JSON. */
export async function readJson(text: string): Promise<unknown> {
  try {
    return await inTurns(parseJsonInSteps(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = text.trim() === "" ? "The body is empty; send JSON." : "The body is not valid JSON, or it is nested too deep.";
    throw problem("request.malformed", message);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw problem("request.malformed", "The body is not valid UTF-8. Send JSON as plain UTF-8, not compressed.");
  }
}

const MIB = 1024 * 1024;
const tooLarge = (maxBytes: number) =>
  problem("request.too_large", `The body is larger than ${maxBytes / MIB} MiB. Split it into several requests.`);
