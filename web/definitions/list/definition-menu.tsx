"use client";

import { Copy, Ellipsis, Pencil, Power, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { useDefinitionVerbs } from "../definition-verbs.ts";
import { definitionPath, KIND_MODULES } from "../kinds/index.ts";
import type { ListedDefinition } from "../kinds/kind-module.ts";
import { useWhere } from "../../client/where.tsx";
import { IconButton } from "../../components/button.tsx";
import { Menu, type MenuItem } from "../../components/overlay.tsx";

/** Loaded on first opening, with the wording of every reason against deletion. */
const DeleteDialog = dynamic(() => import("./delete-dialog.tsx").then((loaded) => loaded.DeleteDialog), { ssr: false });

/** A row's menu of actions. */
export function DefinitionMenu({ kind, definition }: { kind: Kind; definition: ListedDefinition }) {
  const { key, name, active } = definition;
  const where = useWhere();
  const { path, isKeyless } = KIND_MODULES[kind];
  /** Null: never opened. */
  const [isRemoving, setRemoving] = useState<boolean | null>(null);
  const { switchTo } = useDefinitionVerbs({ kind, key, name });

  const items: MenuItem[] = [
    {
      label: where.can("Editor") ? "Edit" : "View",
      icon: <Pencil aria-hidden />,
      href: `${where.href(definitionPath(kind, key))}/edit`,
    },
  ];
  if (where.can("Editor")) {
    items.push({ label: "Duplicate", icon: <Copy aria-hidden />, href: where.href(`/${path}/new?from=${encodeURIComponent(key)}`) });
    if (!isKeyless)
      items.push({
        label: active ? "Switch off" : "Switch on",
        icon: <Power aria-hidden />,
        onSelect: () => void switchTo(!active),
      });
    items.push({ label: "Delete…", icon: <Trash2 aria-hidden />, isDanger: true, isApart: true, onSelect: () => setRemoving(true) });
  }
  return (
    <>
      {/* Above the row's link. */}
      <span className="relative z-10">
        <Menu items={items} trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis aria-hidden />} />} />
      </span>
      {isRemoving !== null && <DeleteDialog kind={kind} definition={definition} open={isRemoving} onOpenChange={setRemoving} />}
    </>
  );
}
