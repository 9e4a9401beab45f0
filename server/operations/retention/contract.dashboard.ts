import { z } from "zod";
import { forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { EVENT_DAYS, REQUEST_DAYS } from "../../model/kernel/kept-days.ts";

const choice = z.object({
  /** Null: for ever. */
  eventDays: z.literal(EVENT_DAYS).nullable(),
  requestDays: z.literal(REQUEST_DAYS),
});

/** How long an environment keeps its logs. */
export const retentionDashboard = {
  read: forEnvironment("Viewer")
    .input(inEnvironment)
    /** Events received before `purgedBefore` may be deleted; null if none were. */
    .output(choice.extend({ purgedBefore: instantText.nullable() })),
  save: forEnvironment("Admin").input(inEnvironment.extend(choice.shape)).output(z.void()),
};

export type RetentionChoice = z.infer<typeof choice>;
