import { implement } from "@orpc/server";
import type { ApiContext } from "../api/context.ts";
import { mayHoldBadText } from "../kernel/json.ts";
import { eventsContract } from "./contract.ts";
import { ingest } from "./service.ts";

const api = implement(eventsContract).$context<ApiContext>();

export const eventsProcedures = {
  send: api.send.handler(async ({ input, context }) => {
    const { database, environment, now, rawBody, admitToTail } = context;
    const results = await ingest(database, environment, { items: input.events, mayHoldBadText: mayHoldBadText(rawBody), now, admitToTail });
    context.noteItems({ kind: "Event", receivedAt: now, items: input.events, results });
    const accepted = results.filter((result) => result.accepted).length;
    if (accepted > 0) context.wake();
    return { accepted, rejected: results.length - accepted, results };
  }),
};
