"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { orpc } from "../../client/rpc.ts";

/** Runs an action on a player and then invalidates their queries, also after a failure. */
export function usePlayerAction<Answer>(act: () => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () =>
      Promise.all(
        [orpc.players.key(), orpc.simulation.key(), orpc.marketplace.key()].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
}
