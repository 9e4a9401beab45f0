import { after } from "next/server";
import { type Dashboard, providedDashboard } from "../../server/api/dashboard.ts";
import { serverless } from "../../server/process/serverless.ts";

/** The service behind the pages: this process's own, or the one that serverless Next opens. */
export const dashboard = (): Dashboard => providedDashboard() ?? serverless(after).dashboard();
