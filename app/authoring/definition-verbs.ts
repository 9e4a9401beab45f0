"use client";

import type { Kind } from "../../server/definitions/contract.ts";
import { rpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { problemOf } from "../_components/problems.tsx";
import { useToast } from "../_components/toast.tsx";
import { asSentence } from "./document/as-sentence.ts";

interface Subject {
  kind: Kind;
  key: string;
  name: string;
}

interface Verbs {
  /** Switches it, and offers to take that back. */
  switchTo(active: boolean): Promise<void>;
  /** Answers whether it was deleted: the service may refuse it. Fails where the service cannot be reached. */
  remove(): Promise<boolean>;
}

/** What is done to a definition besides editing it. Says how it went; `onSwitched` and `onRemoved` show it. */
export function useDefinitionVerbs(
  { kind, key, name }: Subject,
  { onSwitched, onRemoved }: { onSwitched(active: boolean): unknown; onRemoved(): unknown },
): Verbs {
  const { scope } = useWhere();
  const toast = useToast();
  const which = { ...scope, kind, key };

  const attempt = async (failure: string, act: () => Promise<{ problems: { message: string }[] }>): Promise<boolean> => {
    const fail = (description: string) => toast({ title: failure, description, tone: "bad" });
    try {
      const { problems } = await act();
      if (problems.length > 0) fail(problems.map(({ message }) => asSentence(message)).join("\n"));
      return problems.length === 0;
    } catch (error) {
      fail(problemOf(error));
      throw error;
    }
  };

  const switchTo = async (active: boolean): Promise<void> => {
    const failure = `${name} stays ${active ? "off" : "on"}`;
    const isDone = await attempt(failure, () => rpc.definitions.setActive({ ...which, active })).catch(() => false);
    if (!isDone) return;
    await onSwitched(active);
    toast({ title: `${name} is ${active ? "on" : "off"}`, action: { label: "Undo", onSelect: () => void switchTo(!active) } });
  };
  return {
    switchTo,
    async remove() {
      const isDone = await attempt(`${name} was not deleted`, () => rpc.definitions.remove(which));
      if (!isDone) return false;
      await onRemoved();
      toast({ title: `${name} is deleted` });
      return true;
    },
  };
}
