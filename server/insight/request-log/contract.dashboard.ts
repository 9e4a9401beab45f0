import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

const id = z.uuid();
const key = z.object({ id, name: z.string(), hint: z.string() });
const take = z.int().min(1).max(100).default(50);

/** A problem of a request or an item; `at` is a JSON pointer or a parameter name, or empty. */
const problem = z.object({ code: z.string(), message: z.string(), at: z.string() });

const request = z.object({
  id,
  /** Real time. */
  at: instantText,
  method: z.string(),
  /** The path as in the reference; null if no route matched. */
  route: z.string().nullable(),
  /** The sent path, if no route matched and bodies are kept. */
  path: z.string().nullable(),
  status: z.int(),
  code: z.string().nullable(),
  durationMs: z.number(),
  traceId: z.string(),
  key,
  /** Its accepted items; null for requests without items. */
  accepted: z.int().nullable(),
  refused: z.int().nullable(),
});

const state = z.enum(["Refused", "Waiting", "Quarantined", "Accepted"]);

const item = z.object({
  requestId: id,
  position: z.int(),
  /** Real time. */
  at: instantText,
  /** The environment's clock. */
  receivedAt: instantText,
  traceId: z.string(),
  key,
  kind: z.enum(["Event", "MetricEvent"]),
  /** As sent; null if absent. */
  player: z.string().nullable(),
  event: z.string().nullable(),
  eventId: z.string().nullable(),
  state,
  errors: z.array(problem),
  /** As sent, at most 16 KiB; null if the environment keeps no bodies. */
  payload: z.string().nullable(),
});

const storedItem = z.object({
  eventId: z.string(),
  kind: z.enum(["Event", "MetricEvent"]),
  event: z.string().nullable(),
  occurredAt: instantText,
  receivedAt: instantText,
  state,
  /** JSON text. */
  properties: z.string(),
  /** The amount of a metric event, as JSON text. */
  value: z.string().nullable(),
});

const line = z.object({ isMet: z.boolean().nullable(), text: z.string(), depth: z.int() });

const outcome = z.object({
  kind: z.enum(["missions", "streaks", "leaderboards", "metrics"]),
  key: z.string(),
  name: z.string(),
  counts: z.boolean(),
  lines: z.array(line),
  rewards: z.array(z.string()),
});

export const requestLogDashboard = {
  /** The requests to the API, the newest first. */
  list: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        cursor,
        take,
        keyId: id.nullable().default(null),
        /** As in the reference, with its method. */
        route: z.string().max(200).nullable().default(null),
        method: z.string().max(16).nullable().default(null),
        /** `refused`: answered successfully, with refused items. */
        status: z.enum(["success", "refused", "4xx", "5xx"]).nullable().default(null),
        code: z.string().max(100).nullable().default(null),
        from: instantText.nullable().default(null),
        until: instantText.nullable().default(null),
      }),
    )
    .output(z.object({ requests: z.array(request), next: z.string().nullable() })),

  /** One request with what was sent and its items; null if it is no longer kept. */
  get: forEnvironment("Viewer")
    .input(inEnvironment.extend({ id }))
    .output(
      request
        .extend({
          /** Path and query, and the body's first 16 KiB; null if the environment keeps no bodies, or there was none. */
          target: z.string().nullable(),
          body: z.string().nullable(),
          /** In characters. */
          bodyLength: z.int(),
          problems: z.array(problem),
          items: z.array(item),
        })
        .nullable(),
    ),

  /** The list's filters, refusals by code, and what the log omits. */
  overview: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(
      z.object({
        keepsBodies: z.boolean(),
        routes: z.array(z.object({ method: z.string(), route: z.string() })),
        keys: z.array(key),
        /** For the last 24 hours, the most frequent first. */
        errors: z.array(
          z.object({
            code: z.string(),
            title: z.string(),
            /** The code's meaning, for developers. */
            meaning: z.string(),
            /** Whether items were refused rather than whole requests. */
            isOfItems: z.boolean(),
            count: z.int(),
            lastAt: instantText,
            /** The latest request with it. */
            requestId: id,
          }),
        ),
        /** Requests and items of the last 24 hours that were not kept: sampled out, or over a limit. */
        omitted: z.object({ successes: z.int(), errors: z.int(), acceptedItems: z.int(), refusedItems: z.int() }),
      }),
    ),

  /** Whether bodies are kept; switching this off deletes the stored ones. */
  keepBodies: forEnvironment("Admin").input(inEnvironment.extend({ keeps: z.boolean() })),
};

export const eventTailDashboard = {
  /** The latest items, accepted and refused. */
  tail: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        cursor,
        take,
        player: z.string().max(400).nullable().default(null),
        event: z.string().max(400).nullable().default(null),
        keyId: id.nullable().default(null),
        outcome: z.enum(["Accepted", "Refused", "Quarantined"]).nullable().default(null),
        code: z.string().max(100).nullable().default(null),
      }),
    )
    .output(z.object({ items: z.array(item), next: z.string().nullable() })),

  /** All stored events of a player, the last received first. */
  ofPlayer: forEnvironment("Viewer")
    .input(inEnvironment.extend({ player: z.string().max(400), cursor, take }))
    .output(z.object({ items: z.array(storedItem), next: z.string().nullable() })),

  /** What an event changed and what it did not, and why; null if the player has no such event. */
  explain: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        player: z.string().max(400),
        eventId: id,
        /** The item being inspected: its request, and its index there. */
        requestId: id.nullable().default(null),
        position: z.int().min(0).max(32_767).default(0),
      }),
    )
    .output(
      z
        .object({
          state: z.enum(["Waiting", "Quarantined", "Applied"]),
          error: z.string().nullable(),
          occurredAt: instantText,
          receivedAt: instantText,
          /** JSON text, as stored in the log. */
          properties: z.string(),
          outcomes: z.array(outcome),
          /** Whether its effects were recorded; otherwise it was replayed with the current definitions and player. */
          isRecorded: z.boolean(),
          /** The definitions have changed since it was recorded. */
          hasNewDefinitions: z.boolean(),
          /** The item repeated an event that had been received before. */
          isReplay: z.boolean(),
          notes: z.array(z.string()),
        })
        .nullable(),
    ),

  /** Today's events of players who have never read their missions. */
  unentered: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(z.object({ events: z.int(), players: z.int(), sample: z.array(z.string()) })),
};
