"use client";

import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { problemOf } from "../components/problems.tsx";
import { useToast } from "../components/toast.tsx";

/** Does what somebody asked for. Where that fails it says so, under `failure`, and fails too: a question about it stays open. */
type Attempt = <Answer>(failure: string, act: () => Promise<Answer>) => Promise<Answer>;

interface Asked {
  failure: string;
  act(): Promise<unknown>;
}

/** How a screen changes something. What it touches is read again afterwards, done or not: everything where nothing is named. */
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
