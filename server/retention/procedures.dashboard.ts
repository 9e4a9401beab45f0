import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { formatInstant } from "../kernel/time.ts";
import { retentionDashboard } from "./contract.dashboard.ts";
import { changeRetention, readRetention } from "./service/settings.ts";

const dashboard = implement(retentionDashboard).$context<DashboardContext>().use(guard);

export const retentionDashboardProcedures = {
  read: dashboard.read.handler(async ({ context: { database, environment } }) => {
    const { purgedBefore, ...choice } = await readRetention(database, environment.id);
    return { ...choice, purgedBefore: purgedBefore === null ? null : formatInstant(purgedBefore) };
  }),
  save: dashboard.save.handler(({ input: { eventDays, requestDays }, context: { database, environment, actor } }) =>
    changeRetention(database, environment, { eventDays, requestDays }, actor),
  ),
};
