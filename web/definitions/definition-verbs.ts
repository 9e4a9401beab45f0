"use client";

import type { Kind } from "../../server/model/definitions/contract.ts";
import { useAttempt } from "../client/attempt.ts";
import { orpc, rpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { useToast } from "../components/toast.tsx";
import { asSentence } from "./document/as-sentence.ts";
import type { Sent } from "./document/form-words.ts";

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

/** What is done to a definition besides editing it. Says how it went, and has all definitions read again. */
export function useDefinitionVerbs(
  { kind, key, name }: Subject,
  { onSwitched, onRemoved }: { onSwitched?(active: boolean): unknown; onRemoved?(): unknown } = {},
): Verbs {
  const { scope } = useWhere();
  const attempt = useAttempt(orpc.definitions.key());
  const toast = useToast();
  const which = { ...scope, kind, key };

  const ask = async (failure: string, act: () => Promise<{ problems: Sent[] }>): Promise<boolean> => {
    const { problems } = await attempt(failure, act);
    if (problems.length === 0) return true;
    // A list is there without the words for everything that can be wrong.
    const { wordsOf } = await import("./document/form-words.ts");
    toast({ title: failure, description: problems.map((one) => asSentence(wordsOf(one))).join("\n"), tone: "bad" });
    return false;
  };

  const switchTo = async (active: boolean): Promise<void> => {
    const failure = `${name} stays ${active ? "off" : "on"}`;
    const isDone = await ask(failure, () => rpc.definitions.setActive({ ...which, active })).catch(() => false);
    if (!isDone) return;
    await onSwitched?.(active);
    toast({ title: `${name} is ${active ? "on" : "off"}`, action: { label: "Undo", onSelect: () => void switchTo(!active) } });
  };
  return {
    switchTo,
    async remove() {
      const isDone = await ask(`${name} was not deleted`, () => rpc.definitions.remove(which));
      if (!isDone) return false;
      await onRemoved?.();
      toast({ title: `${name} is deleted` });
      return true;
    },
  };
}
