import { useMutation } from "@tanstack/react-query";
import { GitCompareArrows, ListPlus, Power, PowerOff, X } from "lucide-react";
import { useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { plural } from "#server/model/kernel/thousands.ts";
import { orpc, useWhere } from "../../client/service.tsx";
import { Button, IconButton, LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { sentenceOf } from "../document/form-words.ts";
import { KIND_SCREENS } from "../kinds/index.ts";
import { AddToCollection, collectionsOf } from "./add-to-collection.tsx";

/** Bulk actions on the selected rows, in a bar over the end of the list. */
export function BulkBar({ kind, keys, onClear }: { kind: Kind; keys: readonly string[]; onClear(): void }) {
  const { scope, environment, href, canInBoth } = useWhere();
  const { one, many } = KIND_SCREENS[kind];
  const toast = useToast();
  const [isAdding, setAdding] = useState(false);
  const collections = collectionsOf(kind);
  const count = (of: readonly string[]) => plural(of.length, one, many.toLowerCase());

  const change = useMutation(
    orpc.definitions.setActiveOfMany.mutationOptions({
      onSuccess({ problems: found }, { keys: switched, active }) {
        if (found.length > 0) return;
        toast({ title: `${count(switched)} switched ${active ? "on" : "off"}` });
        // With rows that were selected meanwhile, the selection stays: nothing was done with them yet.
        if (keys.every((key) => switched.includes(key))) onClear();
      },
      meta: { failure: "No changes made", touches: [orpc.definitions.key()] },
    }),
  );
  const problems = (change.data?.problems ?? []).map(sentenceOf);
  const pending = change.isPending ? change.variables.active : null;
  const switchTo = (active: boolean) =>
    change.mutate({ ...scope, kind: kind as Parameters<typeof change.mutate>[0]["kind"], keys: [...keys], active });

  return (
    <div role="region" aria-label="Selected" className="sticky bottom-0 z-20 rounded-b-xl border-t border-line bg-raised px-3 py-2.5">
      {problems.length > 0 && (
        <Notice tone="bad" title="No changes made" className="mb-2.5">
          <ul>
            {[...new Set(problems)].map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="mr-auto pl-1 text-[0.8125rem] font-medium tabular-nums max-sm:basis-full">
          {count(keys)} selected
        </span>
        <Button size="sm" icon={<Power />} isPending={pending === true} isBlocked={change.isPending} onClick={() => switchTo(true)}>
          Switch on
        </Button>
        <Button size="sm" icon={<PowerOff />} isPending={pending === false} isBlocked={change.isPending} onClick={() => switchTo(false)}>
          Switch off
        </Button>
        {collections !== null && (
          <Button size="sm" icon={<ListPlus />} onClick={() => setAdding(true)}>
            Add to collection…
          </Button>
        )}
        {environment === "sandbox" && canInBoth("Editor") && (
          <LinkButton size="sm" href={href(promotePath(kind, keys))} icon={<GitCompareArrows />}>
            Promote…
          </LinkButton>
        )}
        <IconButton size="sm" label="Clear the selection" icon={<X />} onClick={onClear} />
      </div>
      {collections !== null && isAdding && (
        <AddToCollection collections={collections} keys={keys} onClose={() => setAdding(false)} onAdded={onClear} />
      )}
    </div>
  );
}

/** The address of Promote with preselected definitions: `?chosen=missions:a,missions:b`, each key encoded separately. */
const promotePath = (kind: Kind, keys: readonly string[]): string =>
  `/promote?chosen=${keys.map((key) => `${kind}:${encodeURIComponent(key)}`).join(",")}`;
