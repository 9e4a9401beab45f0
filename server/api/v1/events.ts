import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { mayHoldBadText } from "../../model/kernel/json.ts";
import { eventsContract } from "../../game/events/contract.ts";
import { acceptBatch } from "../../game/events/service.ts";

const api = implement(eventsContract).$context<ApiContext>();

export const eventsProcedures = {
  send: api.send.handler(async ({ input, context }) => {
    const { database, environment, now, remembered, rawBody, admitToTail } = context;
    const { events: items } = input;
    const batch = { items, mayHoldBadText: mayHoldBadText(rawBody), now, remembered, admitToTail };
    const { results, receivedAt } = await acceptBatch(database, environment, batch, null);
    context.noteItems({ kind: "Event", receivedAt, items, results });
    const accepted = results.filter((result) => result.accepted).length;
    if (accepted > 0) context.wake();
    return { accepted, rejected: results.length - accepted, results };
  }),
};
