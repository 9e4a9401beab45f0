"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asSentence } from "../document/as-sentence.ts";
import { wordsOf } from "../document/form-words.ts";
import { asLine, problemSent } from "../document/problems.ts";
import { problemOf } from "../../components/problems.tsx";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { type Divergence, type Found, subjectsOf } from "./chosen.ts";
import { subjectTitle } from "./names.ts";

type Problem = Awaited<ReturnType<DashboardClient["definitions"]["promote"]>>["problems"][number];

export interface Promotion {
  /** What is wrong with what is chosen, in words, with the definition that it is about. */
  problems: string[];
  /** The same of one definition. */
  problemsOf(one: Divergence): string[];
  /** The environments have changed since they were compared. */
  isStale: boolean;
  isChecking: boolean;
  /** The service could not be asked, or did not do it. */
  failure: string | null;
  isWorking: boolean;
  /** Reads the differences again. */
  refresh(): void;
  /** Answers how many definitions were taken; null where nothing was. */
  confirm(): Promise<number | null>;
}

/** What would be wrong with what is chosen, asked anew with every choice; and the promotion itself. */
export function usePromotion(divergences: readonly Divergence[], chosen: ReadonlySet<string>, versions: Found["versions"]): Promotion {
  const { scope } = useWhere();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  const isAny = chosen.size > 0;
  const input = { ...scope, chosen: subjectsOf(divergences, chosen), versions };
  const check = useQuery({
    ...orpc.definitions.promote.queryOptions({ input: { ...input, dryRun: true } }),
    enabled: isAny,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const problems = isAny ? (check.data?.problems ?? []) : [];
  const refresh = () => void client.invalidateQueries({ queryKey: orpc.definitions.key() });

  async function confirm(): Promise<number | null> {
    setFailure(null);
    setWorking(true);
    try {
      const { isStale, problems: found, taken } = await rpc.definitions.promote({ ...input, dryRun: false });
      if (!isStale && found.length === 0) return taken.length;
      // What has changed since, or is wrong now, is what the check tells when it is asked again.
      await check.refetch();
      return null;
    } catch (error) {
      setFailure(problemOf(error));
      return null;
    } finally {
      setWorking(false);
    }
  }

  return {
    problems: problems.map(problemWords),
    problemsOf: (one) =>
      problems.filter(({ kind, key }) => kind === one.kind && key === one.key).map((found) => asLine(problemSent(found))),
    isStale: isAny && (check.data?.isStale ?? false),
    isChecking: isAny && check.isFetching,
    failure: failure ?? (isAny && check.isError ? problemOf(check.error) : null),
    isWorking,
    refresh,
    confirm,
  };
}

const problemWords = ({ kind, key, ...found }: Problem): string =>
  kind === null || key === null ? asSentence(wordsOf(found)) : `${subjectTitle({ kind, key })}: ${asLine(problemSent(found))}`;
