import { readStatus } from "../../insight/status/service/read.ts";
import { forProject } from "../access.ts";
import { inProject } from "../../model/contract/rpc.ts";

export const statusDashboardProcedures = {
  /**
   * Owners of the installation's first organization see all of it; other Owners only the backlog of their project, and null for the
   * installation.
   */
  read: forProject("Owner", "costly", { tokens: "none" })(inProject, (_, { database, person, environment }) =>
    readStatus(database, person, environment.projectId, Date.now()),
  ),
};
