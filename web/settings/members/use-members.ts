import type { DashboardClient } from "#server/api/dashboard.ts";
import { useAttempt } from "../../client/attempt.ts";
import { orpc } from "../../client/rpc.ts";

/** State of the members screen. */
export type MembersList = Awaited<ReturnType<DashboardClient["members"]["list"]>>;

/** Runs a member action and refetches; shows refusals. Returns whether it succeeded. */
export function useMembers(): (what: () => Promise<unknown>) => Promise<boolean> {
  const attempt = useAttempt(orpc.members.key());
  return (what) =>
    attempt("The change failed", what).then(
      () => true,
      () => false,
    );
}
