import type { ShownRequest } from "../code/shown.ts";

/** A request in a guide with its response. The guides' test sends each to a real service and compares. */
export interface Exchange extends ShownRequest {
  status: number;
  /** The shown part of the response. Its ids and instants are examples. */
  answer?: unknown;
}

/** Lines for a shell beside the service. The guides' test runs them, and each has to succeed. */
export interface Command {
  command: string;
}

export const get = (path: string, answer: unknown): Exchange => ({ method: "GET", path, status: 200, answer });

/** A POST; its response has the status 200, or 204 if there is no `answer`. */
export const post = (path: string, body: unknown, answer?: unknown, status = answer === undefined ? 204 : 200): Exchange => ({
  method: "POST",
  path,
  body,
  status,
  answer,
});

/** An order of a guide's player, as an event. */
export const order = (playerId: string, idempotencyKey: string, amount: number, occurredAt: string) => ({
  playerId,
  event: "order_placed",
  occurredAt,
  idempotencyKey,
  properties: { amount },
});

export const send = (...events: object[]): Exchange => post("/v1/events", { events }, { accepted: events.length, rejected: 0 });

/** A guide's steps in order, starting from a Sandbox with the demo's definitions and without the guide's players. */
export type Steps = Readonly<Record<string, Exchange | Command>>;

/** `now` plus this many days, to the second. */
export const inDays = (now: number, days = 0): string => new Date(now + days * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");

/** A command line for a checkout of the service. */
export const commandLine = (words: string): string => `npm run --silent cli -- ${words}`;

/** The start of every guide: a key in an exported shell variable. */
export const MAKE_KEY: Command = {
  command: `export KEY=$(${commandLine("api-key create --project demo --environment sandbox --name guides")})`,
};
