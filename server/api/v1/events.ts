import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { mayHoldBadText } from "../../model/kernel/json.ts";
import { eventsContract } from "../../game/events/contract.ts";
import { ingest } from "../../game/events/service.ts";

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
