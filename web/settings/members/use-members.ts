import type { Answers } from "../../client/answers.ts";
import { orpc, useAttempt } from "../../client/rpc.ts";

/** State of the members screen. */
export type MembersList = Answers["members"]["list"];

/** Runs a member action and refetches; shows refusals. Returns whether it succeeded. */
export function useMembers(): (what: () => Promise<unknown>, done?: string) => Promise<boolean> {
  const attempt = useAttempt(orpc.members.key());
  return (what, done) =>
    attempt("The change failed", what, done).then(
      () => true,
      () => false,
    );
}
