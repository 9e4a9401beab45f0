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
  /** Problems of the selection, in words, with their definitions. */
  problems: string[];
  /** The problems of one definition. */
  problemsOf(one: Divergence): string[];
  /** The environments have changed since the comparison. */
  isStale: boolean;
  isChecking: boolean;
  /** The check or the promotion failed. */
  failure: string | null;
  isWorking: boolean;
  /** Refetches the differences. */
  refresh(): void;
  /** Returns the number of promoted definitions; null where none were. */
  confirm(): Promise<number | null>;
}

/** Validates the selection on every change, and runs the promotion. */
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
      // Refetching the check shows what has changed or become invalid.
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
