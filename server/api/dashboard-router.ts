import { projectsDashboardProcedures } from "../projects/procedures.dashboard.ts";

/** The dashboard's procedures, by domain. Browsers know it by its type alone. */
export const dashboardRouter = {
  projects: projectsDashboardProcedures,
};
