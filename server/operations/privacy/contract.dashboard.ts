import { z } from "zod";
import { forEnvironment, inEnvironment } from "../../model/contract/rpc.ts";

/** In UTF-16: an id has at most 200 characters. */
const oneOfThem = inEnvironment.extend({ externalId: z.string().min(1).max(400) });
/** The verbs validate reasons; longer ones are not even read. */
const reason = z.string().max(2_000);

/** Exports and erases a player's data. */
export const privacyDashboard = {
  /** Starts an export, with an audit log entry; `next` is the cursor of its first page. */
  beginExport: forEnvironment("Support")
    .input(oneOfThem.extend({ reason }))
    .output(z.object({ next: z.string() })),
  /** A page of an export: rows of one section as JSON texts; `next` is the cursor of the next page. */
  exportPage: forEnvironment("Support")
    .input(oneOfThem.extend({ cursor: z.string().max(600) }))
    .output(z.object({ section: z.string(), rows: z.array(z.string()), next: z.string().nullable() })),
  /** Erases a player permanently; `confirmation` is the typed external id. */
  erase: forEnvironment("Admin")
    .input(oneOfThem.extend({ reason, confirmation: z.string().max(400) }))
    .output(z.object({})),
};
