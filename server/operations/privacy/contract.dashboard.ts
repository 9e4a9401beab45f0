import { z } from "zod";
import { forEnvironment, inEnvironment } from "../../model/contract/rpc.ts";

/** In UTF-16: an id has at most 200 characters. */
const oneOfThem = inEnvironment.extend({ externalId: z.string().min(1).max(400) });
/** The verbs say what is wrong with a reason; longer ones are not even read. */
const reason = z.string().max(2_000);

/** What is kept of a player, to be handed out or to be forgotten. */
export const privacyDashboard = {
  /** Begins an export, and notes it in the audit log; `next` begins its first page. */
  beginExport: forEnvironment("Support")
    .input(oneOfThem.extend({ reason }))
    .output(z.object({ next: z.string() })),
  /** A page of an export: rows of one section as JSON texts; `next` begins the page after. */
  exportPage: forEnvironment("Support")
    .input(oneOfThem.extend({ cursor: z.string().max(600) }))
    .output(z.object({ section: z.string(), rows: z.array(z.string()), next: z.string().nullable() })),
  /** Erases a player for good; `confirmation` is the external id, typed by hand. */
  erase: forEnvironment("Admin")
    .input(oneOfThem.extend({ reason, confirmation: z.string().max(400) }))
    .output(z.object({})),
};
