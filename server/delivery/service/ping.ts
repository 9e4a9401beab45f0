import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type AnswerHead, readableText } from "../../model/webhooks/answer.ts";
import { type ClientOptions, openClient } from "../client.ts";
import { headersOf, writeEnvelope } from "../../model/webhooks/request.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { outcomeOf } from "../../model/webhooks/outcome.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { endFailing, selectSigning } from "../store/endpoints.ts";
import { explainExchange, UNREADABLE_SECRET } from "../../model/webhooks/words.ts";
import { unknownEndpoint } from "./endpoints.ts";
import { readSigning } from "./secrets.ts";

/** The result of a ping. */
export interface PingAnswer {
  isAccepted: boolean;
  /** The meaning of the result, and the remedy if it failed. */
  words: string;
  /** Null without a response. */
  status: number | null;
  durationMs: number;
  /** The beginning of the response body; empty without one. */
  excerpt: string;
}

const EXCERPT_BYTES = 1000;

/**
 * Posts a signed `ping` to an endpoint, on or off, and waits for the response: like a delivery, but once and without a row. An accepted
 * ping makes the endpoint healthy; a refused one does not count as a failure. `now` is on the environment's clock. Throws OperatorError.
 */
export async function pingEndpoint(
  { sql }: Database,
  environment: Environment,
  id: string,
  now: number,
  { cipher, ...options }: ClientOptions & { cipher: SecretCipher },
): Promise<PingAnswer> {
  const endpoint = await selectSigning(sql, environment.id, id);
  if (endpoint === null) throw unknownEndpoint(id);
  const signing = readSigning(cipher, endpoint.id, endpoint);
  if (signing === null) throw new OperatorError(UNREADABLE_SECRET);
  const message = { id: randomUUID(), event: "ping", data: "{}", occurredAt: now };
  const body = writeEnvelope(message);
  const client = openClient(options);
  try {
    const began = performance.now();
    const headers = headersOf({ ...message, ...signing }, now - environment.clockOffsetMs, body);
    const exchange = await client.post(endpoint.url, headers, body);
    const isAccepted = outcomeOf(1, exchange, 0).status === "Delivered";
    if (isAccepted) await endFailing(sql, endpoint.id);
    return {
      isAccepted,
      words: explainExchange(exchange),
      status: exchange.status,
      durationMs: Math.round(performance.now() - began),
      excerpt: excerptOf(exchange.answer),
    };
  } finally {
    await client.close();
  }
}

function excerptOf(answer: AnswerHead | null): string {
  if (answer === null) return "";
  const body = answer.body.subarray(0, EXCERPT_BYTES);
  return readableText(body, answer.isCut || body.length < answer.body.length).text;
}
