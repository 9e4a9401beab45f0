"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Copy, Ellipsis, Pencil, Power, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Kind } from "../../server/definitions/contract.ts";
import { asSentence } from "../_authoring/document/as-sentence.ts";
import type { Sent } from "../_authoring/document/form-words.ts";
import { KIND_WORDS } from "../_client/kinds.tsx";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { IconButton } from "../_components/button.tsx";
import { ConfirmDialog, Menu, type MenuItem } from "../_components/overlay.tsx";
import { problemOf } from "../_components/problems.tsx";
import { useToast } from "../_components/toast.tsx";
import type { ListedDefinition } from "./columns.tsx";

/** What can be done with a definition from its line in a list. */
export function DefinitionMenu({ kind, definition }: { kind: Kind; definition: ListedDefinition }) {
  const { key, name, active } = definition;
  const where = useWhere();
  const toast = useToast();
  const queries = useQueryClient();
  const { one, path } = KIND_WORDS[kind];
  const [isRemoving, setRemoving] = useState(false);
  const input = { ...where.scope, kind, key };
  const refresh = () => queries.invalidateQueries({ queryKey: orpc.definitions.key() });
  const refused = async (title: string, problems: Sent[]) => {
    // A list is there without the words for everything that can be wrong.
    const { wordsOf } = await import("../_authoring/document/form-words.ts");
    toast({ tone: "bad", title, description: problems.map((one) => asSentence(wordsOf(one))).join("\n") });
  };
  const failed = (title: string) => (error: unknown) => toast({ tone: "bad", title, description: problemOf(error) });

  const switching = useMutation(
    orpc.definitions.setActive.mutationOptions({
      onSuccess: async (answer, sent) => {
        if (answer.problems.length > 0) return refused(`${name} stays ${sent.active ? "off" : "on"}`, answer.problems);
        await refresh();
        toast({
          title: `${name} is ${sent.active ? "on" : "off"}`,
          action: { label: "Undo", onSelect: () => switching.mutate({ ...sent, active: !sent.active }) },
        });
      },
      onError: failed(`${name} could not be switched`),
    }),
  );
  const removing = useMutation(
    orpc.definitions.remove.mutationOptions({
      onSuccess: async (answer) => {
        if (answer.problems.length > 0) return refused(`${name} cannot be deleted`, answer.problems);
        await refresh();
        toast({ title: `${name} is deleted` });
      },
      onError: failed(`${name} could not be deleted`),
    }),
  );

  const items: MenuItem[] = [
    {
      label: where.can("Editor") ? "Edit" : "Look at it",
      icon: <Pencil aria-hidden />,
      href: where.href(`/${path}/${encodeURIComponent(key)}`),
    },
  ];
  const hasSwitch = kind !== "exchangeRates" && kind !== "pointsValuations";
  if (where.can("Editor")) {
    items.push({ label: "Duplicate", icon: <Copy aria-hidden />, href: where.href(`/${path}/new?from=${encodeURIComponent(key)}`) });
    if (hasSwitch)
      items.push({
        label: active ? "Switch off" : "Switch on",
        icon: <Power aria-hidden />,
        onSelect: () => switching.mutate({ ...input, active: !active }),
      });
    items.push({ label: "Delete…", icon: <Trash2 aria-hidden />, isDanger: true, isApart: true, onSelect: () => setRemoving(true) });
  }
  return (
    <>
      {/* Above the link that the whole row is. */}
      <span className="relative z-10">
        <Menu items={items} trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis aria-hidden />} />} />
      </span>
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={`Delete ${name}?`}
        confirmLabel={`Delete ${one}`}
        isDanger
        onConfirm={() => removing.mutateAsync(input)}
      >
        What never touched a player and is used by nothing can be deleted, for good. Anything else can be switched off: what was earned by
        it stays.
      </ConfirmDialog>
    </>
  );
}
