import { instantOrNull } from "./inputs.ts";
import { changeRetention, readRetention } from "../../operations/retention/service/settings.ts";
import { z } from "zod";
import { forEnvironment } from "../access.ts";
import { inEnvironment } from "../../model/contract/rpc.ts";
import { EVENT_DAYS, REQUEST_DAYS } from "../../model/kernel/kept-days.ts";

export const retentionDashboardProcedures = {
  /** Events received before `purgedBefore` may be deleted; null if none were. */
  read: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment }) => {
    const { purgedBefore, ...choice } = await readRetention(database, environment.id);
    return { ...choice, purgedBefore: instantOrNull(purgedBefore) };
  }),
  /** A time that is left out stays as it is. A shorter one deletes, and is refused without `mayDelete`. */
  save: forEnvironment("Admin", "cheap")(
    inEnvironment.extend({
      /** Null: forever. */
      eventDays: z.literal(EVENT_DAYS).nullable().optional(),
      requestDays: z.literal(REQUEST_DAYS).optional(),
      mayDelete: z.boolean().optional(),
    }),
    ({ eventDays, requestDays, mayDelete }, { database, environment, actor }) =>
      changeRetention(database, environment, { eventDays, requestDays, mayDelete }, actor),
  ),
};
