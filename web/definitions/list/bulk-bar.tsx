"use client";

import { GitCompareArrows, ListPlus, Power, PowerOff, X } from "lucide-react";
import { useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { plural } from "#server/model/kernel/thousands.ts";
import { useAttempt } from "../../client/attempt.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button, IconButton, LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { asSentence } from "../document/as-sentence.ts";
import { wordsOf } from "../document/form-words.ts";
import { KIND_MODULES } from "../kinds/index.ts";
import { AddToCollection } from "./add-to-collection.tsx";
import { collectionsOf } from "./collections.ts";
import { promotePath } from "./promote-path.ts";

interface BulkBarProps {
  kind: Kind;
  keys: readonly string[];
  onClear(): void;
}

/** Bulk actions on the selected rows, in a bar over the end of the list. */
export function BulkBar({ kind, keys, onClear }: BulkBarProps) {
  const { scope, environment, href } = useWhere();
  const { one, many } = KIND_MODULES[kind];
  const attempt = useAttempt(orpc.definitions.key());
  const toast = useToast();
  const [problems, setProblems] = useState<string[]>([]);
  const [isPending, setPending] = useState<boolean | null>(null);
  const [isAdding, setAdding] = useState(false);
  const collections = collectionsOf(kind);
  const count = plural(keys.length, one, many.toLowerCase());

  async function switchTo(active: boolean): Promise<void> {
    setPending(active);
    setProblems([]);
    const input = { ...scope, kind: kind as Parameters<typeof rpc.definitions.setActiveOfMany>[0]["kind"], keys: [...keys], active };
    const done = await attempt("Nothing was switched", () => rpc.definitions.setActiveOfMany(input)).catch(() => null);
    setPending(null);
    if (done === null) return;
    setProblems(done.problems.map((found) => asSentence(wordsOf(found))));
    if (done.problems.length > 0) return;
    toast({ title: `${count} switched ${active ? "on" : "off"}` });
    onClear();
  }

  return (
    <div role="region" aria-label="Selected" className="sticky bottom-0 z-20 rounded-b-xl border-t border-line bg-raised px-3 py-2.5">
      {problems.length > 0 && (
        <Notice tone="bad" title="Nothing was switched" className="mb-2.5">
          <ul>
            {[...new Set(problems)].map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="mr-auto pl-1 text-[0.8125rem] font-medium tabular-nums">
          {count} selected
        </span>
        <Button size="sm" icon={<Power aria-hidden />} isPending={isPending === true} onClick={() => void switchTo(true)}>
          Switch on
        </Button>
        <Button size="sm" icon={<PowerOff aria-hidden />} isPending={isPending === false} onClick={() => void switchTo(false)}>
          Switch off
        </Button>
        {collections !== null && (
          <Button size="sm" icon={<ListPlus aria-hidden />} onClick={() => setAdding(true)}>
            Add to collection…
          </Button>
        )}
        {environment === "sandbox" && (
          <LinkButton size="sm" href={href(promotePath(kind, keys))} icon={<GitCompareArrows aria-hidden />}>
            Promote…
          </LinkButton>
        )}
        <IconButton size="sm" label="Clear the selection" icon={<X aria-hidden />} onClick={onClear} />
      </div>
      {collections !== null && isAdding && (
        <AddToCollection collections={collections} keys={keys} onClose={() => setAdding(false)} onAdded={onClear} />
      )}
    </div>
  );
}
