import type { Dashboard } from "../../server/api/dashboard.ts";
import { providedDashboard } from "../../server/api/dashboard-slot.ts";
import { serverless } from "./serverless.ts";

/** The service behind the pages: this process's own, or the one that serverless Next opens. */
export const dashboard = (): Dashboard => providedDashboard() ?? serverless().dashboard();
