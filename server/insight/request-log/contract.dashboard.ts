import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

const id = z.uuid();
const key = z.object({ id, name: z.string(), hint: z.string() });
const take = z.int().min(1).max(100).default(50);

/** A problem of a request or of an item; `at` is a JSON pointer or the name of a parameter, empty without one. */
const problem = z.object({ code: z.string(), message: z.string(), at: z.string() });

const request = z.object({
  id,
  /** Real time. */
  at: instantText,
  method: z.string(),
  /** The path as the reference has it; null where none matched. */
  route: z.string().nullable(),
  /** The path as it was sent, where no route matched and bodies are kept. */
  path: z.string().nullable(),
  status: z.int(),
  code: z.string().nullable(),
  durationMs: z.number(),
  traceId: z.string(),
  key,
  /** Of its items; null for requests without items. */
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
  /** As they were sent; null where there was none. */
  player: z.string().nullable(),
  event: z.string().nullable(),
  eventId: z.string().nullable(),
  state,
  errors: z.array(problem),
  /** As it was sent, at most 16 KiB; null where the environment keeps no bodies. */
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
        /** As the reference has it, with its method. */
        route: z.string().max(200).nullable().default(null),
        method: z.string().max(16).nullable().default(null),
        /** `refused`: answered, with refused items. */
        status: z.enum(["success", "refused", "4xx", "5xx"]).nullable().default(null),
        code: z.string().max(100).nullable().default(null),
        from: instantText.nullable().default(null),
        until: instantText.nullable().default(null),
      }),
    )
    .output(z.object({ requests: z.array(request), next: z.string().nullable() })),

  /** One request with what was sent and its items; null where it is kept no longer. */
  get: forEnvironment("Viewer")
    .input(inEnvironment.extend({ id }))
    .output(
      request
        .extend({
          /** Path and query, and the body's first 16 KiB; null where the environment keeps no bodies, or there was none. */
          target: z.string().nullable(),
          body: z.string().nullable(),
          /** In characters. */
          bodyLength: z.int(),
          problems: z.array(problem),
          items: z.array(item),
        })
        .nullable(),
    ),

  /** What the list can be filtered by, what was refused by code, and what is lacking. */
  overview: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(
      z.object({
        keepsBodies: z.boolean(),
        routes: z.array(z.object({ method: z.string(), route: z.string() })),
        keys: z.array(key),
        /** Of the last 24 hours, the most frequent first. */
        errors: z.array(
          z.object({
            code: z.string(),
            title: z.string(),
            /** What it means, for developers. */
            meaning: z.string(),
            /** Whether items of requests were refused, rather than whole requests. */
            isOfItems: z.boolean(),
            count: z.int(),
            lastAt: instantText,
            /** The latest request with it. */
            requestId: id,
          }),
        ),
        /** Requests and items of the last 24 hours that were not kept: sampled, or too many at once. */
        omitted: z.object({ successes: z.int(), errors: z.int(), acceptedItems: z.int(), refusedItems: z.int() }),
      }),
    ),

  /** Whether bodies are kept; switching it off deletes those that are. */
  keepBodies: forEnvironment("Admin").input(inEnvironment.extend({ keeps: z.boolean() })),
};

export const eventTailDashboard = {
  /** The latest items that were sent, accepted and refused. */
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

  /** All events of a player that are stored, the last received first. */
  ofPlayer: forEnvironment("Viewer")
    .input(inEnvironment.extend({ player: z.string().max(400), cursor, take }))
    .output(z.object({ items: z.array(storedItem), next: z.string().nullable() })),

  /** What an event moved and what it did not, and why; null where the player has no such event. */
  explain: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        player: z.string().max(400),
        eventId: id,
        /** The item that it is looked at from: its request, and the place in it. */
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
          /** JSON text, as the log has them. */
          properties: z.string(),
          outcomes: z.array(outcome),
          /** What it moved was recorded; otherwise it was played again with the definitions and the player of now. */
          isRecorded: z.boolean(),
          /** The definitions have changed since it was recorded. */
          hasNewDefinitions: z.boolean(),
          /** The item brought an event that had been received before. */
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
