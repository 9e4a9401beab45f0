import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { retentionDashboard } from "../../operations/retention/contract.dashboard.ts";
import { changeRetention, readRetention } from "../../operations/retention/service/settings.ts";

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
