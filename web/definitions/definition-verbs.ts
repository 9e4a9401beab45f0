import type { Kind } from "../../server/model/definitions/contract.ts";
import { orpc, rpc, useAttempt, useWhere } from "../client/service.tsx";
import { useToast } from "../components/toast.tsx";
import type { Sent } from "./document/form-words.ts";

interface Subject {
  kind: Kind;
  key: string;
  name: string;
}

/** Actions on a definition besides editing. Shows a toast and invalidates all definitions. */
export function useDefinitionVerbs(
  { kind, key, name }: Subject,
  { onSwitched, onRemoved }: { onSwitched?(active: boolean): unknown; onRemoved?(): unknown } = {},
) {
  const { scope } = useWhere();
  const attempt = useAttempt(orpc.definitions.key());
  const toast = useToast();
  const which = { ...scope, kind, key };

  const ask = async (failure: string, act: () => Promise<{ problems: Sent[] }>): Promise<boolean> => {
    const { problems } = await attempt(failure, act);
    if (problems.length === 0) return true;
    // Loaded lazily: a list should not include the wording of every problem.
    const { sentenceOf } = await import("./document/form-words.ts");
    toast({ title: failure, description: problems.map(sentenceOf).join("\n"), tone: "bad" });
    return false;
  };

  /** Switches it on or off, with an undo toast. */
  const switchTo = async (active: boolean): Promise<void> => {
    const failure = `${name} stays ${active ? "off" : "on"}`;
    const isDone = await ask(failure, () => rpc.definitions.setActive({ ...which, active })).catch(() => false);
    if (!isDone) return;
    await onSwitched?.(active);
    toast({ title: `${name} is ${active ? "on" : "off"}`, action: { label: "Undo", onSelect: () => void switchTo(!active) } });
  };
  return {
    switchTo,
    /** Returns whether it was deleted, since the service may refuse. Fails where the service is unreachable. */
    async remove(): Promise<boolean> {
      const isDone = await ask(`${name} was not deleted`, () => rpc.definitions.remove(which));
      if (!isDone) return false;
      await onRemoved?.();
      toast({ title: `${name} is deleted` });
      return true;
    },
  };
}
