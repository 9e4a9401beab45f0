import type { DashboardClient } from "../../../../../server/api/dashboard.ts";

/** What the screen of members shows. */
export type MembersList = Awaited<ReturnType<DashboardClient["members"]["list"]>>;
