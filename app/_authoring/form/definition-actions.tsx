"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Copy, Ellipsis, FlaskConical, Power, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { KIND_WORDS } from "../../_client/kinds.tsx";
import { rpc } from "../../_client/rpc.ts";
import { useWhere } from "../../_client/where.tsx";
import { Button, IconButton } from "../../_components/button.tsx";
import { ConfirmDialog, Menu, type MenuItem } from "../../_components/overlay.tsx";
import { problemOf } from "../../_components/problems.tsx";
import { useToast } from "../../_components/toast.tsx";
import { type Sent, wordsOf } from "../document/form-words.ts";
import { asSentence } from "../document/problems.ts";
import type { DefinitionForm } from "./use-definition-form.ts";

interface ActionsProps {
  form: DefinitionForm;
  title: string;
  /** Opens the panel that tries the definition as it stands in the form. */
  onTry?(): void;
}

/** What can be done with a definition besides editing it. */
export function DefinitionActions({ form, title, onTry }: ActionsProps) {
  const { kind, isReadOnly, draft, duplicateHref } = form.authoring;
  const { scope, href } = useWhere();
  const { one, path } = KIND_WORDS[kind];
  const router = useRouter();
  const queries = useQueryClient();
  const toast = useToast();
  const [isRemoving, setRemoving] = useState(false);
  const { known } = form;
  const isActive = draft.active !== false;

  const attempt = async (failure: string, act: () => Promise<{ problems: Sent[] }>): Promise<boolean> => {
    try {
      const { problems } = await act();
      if (problems.length === 0) return true;
      toast({ title: failure, description: problems.map((one) => asSentence(wordsOf(one))).join("\n"), tone: "bad" });
    } catch (error) {
      toast({ title: failure, description: problemOf(error), tone: "bad" });
    }
    return false;
  };
  const which = { ...scope, kind, key: known?.key ?? "" };
  const switchTo = async (active: boolean, isUndo = false) => {
    const isDone = await attempt(`${title} stays ${active ? "off" : "on"}`, () => rpc.definitions.setActive({ ...which, active }));
    if (!isDone) return;
    form.take({ active });
    router.refresh();
    await queries.invalidateQueries();
    toast({
      title: `${title} is ${active ? "on" : "off"}`,
      action: isUndo ? undefined : { label: "Undo", onSelect: () => void switchTo(!active, true) },
    });
  };
  const remove = async () => {
    const isDone = await attempt(`${title} was not deleted`, () => rpc.definitions.remove(which));
    if (!isDone) throw new Error("It is still there.");
    toast({ title: `${title} is deleted` });
    await queries.invalidateQueries();
    router.push(href(`/${path}`));
  };

  const items: MenuItem[] = [];
  if (duplicateHref !== null) items.push({ label: "Duplicate", icon: <Copy aria-hidden />, href: duplicateHref });
  if (known !== null && !isReadOnly && "active" in draft) {
    const hint = form.isDirty ? "Save your changes first" : isActive ? "What was earned by it stays" : undefined;
    items.push({
      label: isActive ? "Switch off" : "Switch on",
      icon: <Power aria-hidden />,
      hint,
      disabled: form.isDirty,
      onSelect: () => void switchTo(!isActive),
    });
  }
  if (known !== null && !isReadOnly) {
    const { allowed, because } = known.removal;
    items.push({
      label: "Delete…",
      icon: <Trash2 aria-hidden />,
      hint: allowed ? undefined : asSentence(because === null ? "it cannot be deleted" : wordsOf(because)),
      disabled: !allowed,
      isDanger: true,
      isApart: true,
      onSelect: () => setRemoving(true),
    });
  }

  return (
    <>
      {onTry && (
        <Button icon={<FlaskConical aria-hidden />} onClick={onTry}>
          Try it
        </Button>
      )}
      {items.length > 0 && (
        <Menu items={items} trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis aria-hidden />} />} />
      )}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={`Delete ${title}?`}
        confirmLabel={`Delete ${one}`}
        isDanger
        onConfirm={remove}
      >
        It never touched a player and nothing uses it. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
