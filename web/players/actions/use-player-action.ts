"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { orpc } from "../../client/rpc.ts";

/** Does something to a player; what screens show of them is read again afterwards, done or not. */
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
