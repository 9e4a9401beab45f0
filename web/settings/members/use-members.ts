import type { DashboardClient } from "#server/api/dashboard.ts";
import { useAttempt } from "../../client/attempt.ts";
import { orpc } from "../../client/rpc.ts";

/** What the screen of members shows. */
export type MembersList = Awaited<ReturnType<DashboardClient["members"]["list"]>>;

/** Does something to the members and shows them anew; what was refused is said. Answers whether it was done. */
export function useMembers(): (what: () => Promise<unknown>) => Promise<boolean> {
  const attempt = useAttempt(orpc.members.key());
  return (what) =>
    attempt("The change failed", what).then(
      () => true,
      () => false,
    );
}
