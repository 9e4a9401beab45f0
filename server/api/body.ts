import type { IncomingMessage } from "node:http";
import { parseJsonInSteps } from "../model/kernel/json.ts";
import { problem } from "../model/kernel/problem.ts";
import { inTurns } from "../engine/turns.ts";

/** 4 MiB. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The limit for forms of pages: only those of people who are not signed in are sent there, some hundred bytes each. */
export const LARGEST_FORM_BYTES = 16 * 1024;

/** The body took too long to arrive. */
export class TooSlow extends Error {}

/** There is no room for the body beside the others that are on their way. */
export class Crowded extends Error {}

/** The client went away before its request had arrived. */
export class Aborted extends Error {}

/** What bounds the arrival of one body. */
export interface Arrival {
  /** Ends waiting for it. */
  late?: AbortSignal;
  /** Told of the bytes that are kept as they come; false: there is no room for them. */
  take?(bytes: number): boolean;
}

/**
 * Reads a request's body of at most so many bytes as text, whatever its Content-Type is. Problems: request.too_large, request.malformed
 * (not UTF-8). Throws Aborted, TooSlow where it has not arrived by the time of `late`, and Crowded.
 */
export async function readText(request: IncomingMessage, most = MAX_BODY_BYTES, arrival: Arrival = {}): Promise<string> {
  const body = new ArrivingBody(most, request.headers["content-length"], arrival);
  await takeAll(request, body, arrival.late);
  return body.text();
}

/** By events, as leaving an iteration early would close the connection before it has its answer. */
function takeAll(request: IncomingMessage, body: ArrivingBody, late?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new Aborted());
    const giveUp = () => {
      body.drop();
      reject(new TooSlow());
    };
    late?.addEventListener("abort", giveUp, { once: true });
    // Too much is read on and dropped: the connection stays usable.
    request.on("data", (chunk: Uint8Array) => {
      const refusal = body.take(chunk);
      if (refusal !== null) reject(refusal);
    });
    request.on("end", resolve);
    request.on("error", () => reject(new Aborted()));
    request.on("close", () => request.complete || reject(new Aborted()));
  });
}

/** Reads the body of a fetch request likewise. */
export async function readFetchedText(
  { headers, signal, body: stream }: Request,
  most = MAX_BODY_BYTES,
  arrival: Arrival = {},
): Promise<string> {
  const { late } = arrival;
  const body = new ArrivingBody(most, headers.get("content-length"), arrival);
  if (signal.aborted) throw new Aborted();
  const reader = stream?.getReader();
  // A read under way ends by this as if the body did.
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

/** A body on its way in, of which no more is kept than the limit. */
class ArrivingBody {
  readonly #chunks: Uint8Array[] = [];
  readonly #most: number;
  readonly #takeUp: NonNullable<Arrival["take"]>;
  #size = 0;

  /** With the Content-Length, where there is one. Problem request.too_large. */
  constructor(most: number, announced: string | null | undefined, { take = () => true }: Arrival) {
    this.#most = most;
    this.#takeUp = take;
    if (Number(announced ?? 0) > most) throw tooLarge(most);
  }

  /** Why it is refused; null while it is not. */
  take(chunk: Uint8Array): Error | null {
    this.#size += chunk.length;
    const refusal = this.#size > this.#most ? tooLarge(this.#most) : this.#takeUp(chunk.length) ? null : new Crowded();
    if (refusal === null) this.#chunks.push(chunk);
    else this.drop();
    return refusal;
  }

  /** Lets go of what has arrived, and takes no more. */
  drop(): void {
    this.#size = Infinity;
    this.#chunks.length = 0;
  }

  /** All of it, once it has arrived. Problem request.malformed. */
  text(): string {
    return decodeUtf8(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
  }
}

/** Reads a body's JSON; a large one in turns with other requests. Problem request.malformed for what is not JSON. */
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
    throw problem("request.malformed", "The body is not valid UTF-8.");
  }
}

const MIB = 1024 * 1024;
const tooLarge = (most: number) =>
  problem("request.too_large", `The body is larger than ${most / MIB} MiB. Split it into several requests.`);
