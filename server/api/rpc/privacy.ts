import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { hasBadText } from "../../model/kernel/json.ts";
import { privacyDashboard } from "../../operations/privacy/contract.dashboard.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { beginExport, exportPage, type ExportPlace } from "../../operations/privacy/export.ts";
import { SECTION_NAMES } from "../../operations/privacy/store/exporting.ts";

const dashboard = implement(privacyDashboard).$context<DashboardContext>().use(guard);

const mustBeText = (externalId: string): void => {
  if (hasBadText(externalId)) throw new ORPCError("NOT_FOUND", { message: "There is no such player in this environment." });
};

export const privacyDashboardProcedures = {
  beginExport: dashboard.beginExport.handler(async ({ input: { externalId, reason }, context: { database, environment, actor } }) => {
    mustBeText(externalId);
    return { next: cursorOf(await beginExport(database, environment, externalId, reason, actor)) };
  }),
  exportPage: dashboard.exportPage.handler(async ({ input: { externalId, cursor }, context: { database, environment } }) => {
    mustBeText(externalId);
    const { next, ...page } = await exportPage(database, environment, externalId, placeOf(cursor));
    return { ...page, next: next === null ? null : cursorOf(next) };
  }),
  erase: dashboard.erase.handler(async ({ input: { externalId, reason, confirmation }, context: { database, environment, actor } }) => {
    mustBeText(externalId);
    if (confirmation !== externalId) throw new ORPCError("BAD_REQUEST", { message: "Type the player's ID to confirm." });
    await erasePlayer(database, environment, externalId, reason, actor);
    return {};
  }),
};

const cursorOf = ({ section, after }: ExportPlace): string => `${section}:${after}`;

/** The cursors of each section: a UUID, a number, a number and a day, a number and a team. */
const PLACE = /^(|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{1,9}|\d{1,9} \d{4,5}-\d\d-\d\d|\d{1,9} .{0,400})$/su;

function placeOf(cursor: string): ExportPlace {
  const [name, ...rest] = cursor.split(":");
  const after = rest.join(":");
  const section = SECTION_NAMES.find((one) => one === name);
  if (section === undefined || !PLACE.test(after)) throw new ORPCError("BAD_REQUEST", { message: "That is no place in an export." });
  return { section, after };
}
