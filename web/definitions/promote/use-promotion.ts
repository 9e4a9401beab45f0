import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asLine, problemSent, sentenceOf } from "../document/form-words.ts";
import { problemOf } from "../../components/problems.tsx";
import { useOpenAfter } from "../../client/leaving.ts";
import { type Answers, orpc, requestMadeBy, rpc, useWhere } from "../../client/service.tsx";
import { useRouter } from "next/navigation";
import type { RequestTexts } from "../../change-requests/ask-dialog.tsx";
import { requestedToast } from "../../client/query.tsx";
import { useToast } from "../../components/toast.tsx";
import { type Divergence, type Comparison, subjectsOf } from "./chosen.ts";
import { subjectTitle } from "./names.ts";

type Problem = Answers["definitions"]["promote"]["problems"][number];

export type Promotion = ReturnType<typeof usePromotion>;

/** Validates the selection on every change, and runs the promotion. */
export function usePromotion(divergences: readonly Divergence[], chosen: ReadonlySet<string>, versions: Comparison["versions"]) {
  const { scope } = useWhere();
  const client = useQueryClient();
  const router = useRouter();
  const { open } = useOpenAfter();
  const toast = useToast();
  // The failure of one selection; another one may succeed.
  const [failed, setFailed] = useState<{ chosen: typeof chosen; words: string } | null>(null);
  const [isWorking, setWorking] = useState(false);
  const subjects = subjectsOf(divergences, chosen);
  const isAny = subjects.length > 0;
  const input = { ...scope, chosen: subjects, versions };
  const check = useQuery({
    ...orpc.definitions.promote.queryOptions({ input: { ...input, dryRun: true } }),
    enabled: isAny,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const problems = isAny ? (check.data?.problems ?? []) : [];

  /** Returns the number of promoted definitions; null if none were. */
  async function confirm(request?: RequestTexts): Promise<number | null> {
    setFailed(null);
    setWorking(true);
    try {
      const { isStale, problems: found, taken } = await rpc.definitions.promote({ ...input, dryRun: false, request });
      if (!isStale && found.length === 0) return taken.length;
      // Refetching the check shows what has changed or become invalid.
      await check.refetch();
      return null;
    } catch (error) {
      const path = requestMadeBy(error);
      if (path === null) setFailed({ chosen, words: problemOf(error) });
      else {
        toast(requestedToast(error));
        open(path);
        router.refresh();
      }
      return null;
    } finally {
      setWorking(false);
    }
  }

  return {
    problems: problems.map(problemWords),
    problemsOf: (one: Divergence): string[] =>
      problems.filter(({ kind, key }) => kind === one.kind && key === one.key).map((found) => asLine(problemSent(found))),
    /** The environments have changed since the comparison. */
    isStale: isAny && (check.data?.isStale ?? false),
    isChecking: isAny && check.isFetching,
    /** The check or the promotion failed. */
    failure: failed?.chosen === chosen ? failed.words : isAny && check.isError ? problemOf(check.error) : null,
    isWorking,
    /** Refetches the differences. */
    refresh: () => void client.invalidateQueries({ queryKey: orpc.definitions.key() }),
    confirm,
  };
}

const problemWords = ({ kind, key, ...found }: Problem): string =>
  kind === null || key === null ? sentenceOf(found) : `${subjectTitle({ kind, key })}: ${asLine(problemSent(found))}`;
