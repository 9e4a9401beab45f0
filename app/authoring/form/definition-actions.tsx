"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ChartColumn, Copy, Ellipsis, FlaskConical, Power, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { reportOfDefinition } from "../../_analytics/reports.ts";
import { useDefinitionVerbs } from "../definition-verbs.ts";
import { KIND_MODULES } from "../kinds/index.ts";
import { useWhere } from "../../_client/where.tsx";
import { Button, IconButton, LinkButton } from "../../_components/button.tsx";
import { ConfirmDialog, Menu, type MenuItem } from "../../_components/overlay.tsx";
import { asSentence } from "../document/as-sentence.ts";
import { wordsOf } from "../document/form-words.ts";
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
  const { href } = useWhere();
  const { one, path } = KIND_MODULES[kind];
  const router = useRouter();
  const queries = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const { known } = form;
  const isActive = draft.active !== false;
  const { switchTo, remove } = useDefinitionVerbs(
    { kind, key: known?.key ?? "", name: title },
    {
      async onSwitched(active) {
        form.take({ active });
        router.refresh();
        await queries.invalidateQueries();
      },
      async onRemoved() {
        await queries.invalidateQueries();
        router.push(href(`/${path}`));
      },
    },
  );

  const report = known === null ? null : reportOfDefinition(kind, known.key);
  const items: MenuItem[] = [];
  if (duplicateHref !== null) items.push({ label: "Duplicate", icon: <Copy aria-hidden />, href: duplicateHref });
  if (known !== null && !isReadOnly && "active" in draft) {
    const hint = form.isDirty ? "Save your changes first" : isActive ? "Rewards already earned stay" : undefined;
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
      hint: allowed ? undefined : asSentence(because === null ? "it can't be deleted" : wordsOf(because)),
      disabled: !allowed,
      isDanger: true,
      isApart: true,
      onSelect: () => setRemoving(true),
    });
  }

  return (
    <>
      {report !== null && (
        <LinkButton href={href(report)} prefetch={false} icon={<ChartColumn aria-hidden />}>
          Analytics
        </LinkButton>
      )}
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
        No player has used it and nothing refers to it. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
