"use client";

import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { problemOf } from "../components/problems.tsx";
import { useToast } from "../components/toast.tsx";

/** Runs a user's action. A failure is shown as a toast titled `failure` and rethrown, so that a confirmation dialog stays open. */
type Attempt = <Answer>(failure: string, act: () => Promise<Answer>) => Promise<Answer>;

interface Asked {
  failure: string;
  act(): Promise<unknown>;
}

/** Runs a mutation and then invalidates its queries, also after a failure; all queries where none are named. */
export function useAttempt(touches?: QueryKey): Attempt {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutateAsync } = useMutation({
    mutationFn: ({ act }: Asked) => act(),
    onError: (error, { failure }) => toast({ title: failure, description: problemOf(error), tone: "bad" }),
    onSettled: () => queries.invalidateQueries(touches && { queryKey: touches }),
  });
  return <Answer>(failure: string, act: () => Promise<Answer>) => mutateAsync({ failure, act }) as Promise<Answer>;
}
