import { useQueryClient } from "@tanstack/react-query";
import type { DashboardClient } from "../../../../../server/api/dashboard.ts";
import { orpc } from "../../../../_client/rpc.ts";
import { problemOf } from "../../../../_components/problems.tsx";
import { useToast } from "../../../../_components/toast.tsx";

/** What the screen of members shows. */
export type MembersList = Awaited<ReturnType<DashboardClient["members"]["list"]>>;

/** Does something to the members and shows them anew; what was refused is said. Answers whether it was done. */
export function useMembers(): (what: () => Promise<unknown>) => Promise<boolean> {
  const queries = useQueryClient();
  const toast = useToast();
  return async (what) => {
    try {
      await what();
      return true;
    } catch (error) {
      toast({ title: "That was not done", description: problemOf(error), tone: "bad" });
      return false;
    } finally {
      await queries.invalidateQueries({ queryKey: orpc.members.key() });
    }
  };
}
