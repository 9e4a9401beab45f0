"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { problemOf } from "../components/problems.tsx";
import { useToast } from "../components/toast.tsx";

interface Change {
  discovery?: { events: boolean; attributes: boolean };
  baseCurrency?: string | null;
}

/** An environment's settings and their save; with its problems, null after a success. */
export function useSettings() {
  const { scope } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { data: settings } = useQuery(orpc.definitions.settings.queryOptions({ input: scope }));
  const { mutateAsync, isPending } = useMutation(orpc.definitions.saveSettings.mutationOptions());
  const save = async (change: Change): Promise<string | null> => {
    try {
      const { problems, conflict } = await mutateAsync({ ...scope, ...change, revision: settings?.revision ?? null });
      if (conflict) return `${conflict.by ?? "Somebody"} changed the settings while you edited them. Check them and save again.`;
      return problems.length === 0 ? null : problems.map(({ message }) => message).join(" ");
    } catch (error) {
      toast({ title: "Not saved", description: problemOf(error), tone: "bad" });
      return problemOf(error);
    } finally {
      await queryClient.invalidateQueries({ queryKey: orpc.definitions.key() });
    }
  };
  return { settings, save, isPending };
}
