"use client";

import { X } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { definitionPath, KIND_MODULES } from "../kinds/index.ts";
import { useWhere } from "../../client/where.tsx";
import { IconButton } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Badge } from "../../components/surface.tsx";
import { find, type Named } from "../catalogue.ts";
import { useKeyedList } from "./keyed-list.ts";
import { Sortable } from "./sortable.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { Place, Spot } from "../form/place.tsx";
import { Section } from "../form/section.tsx";

interface MembersProps {
  member: "missions" | "items";
  kind: "missions" | "marketplaceItems";
}

/** A collection's members in their order. */
export function CollectionMembers({ member, kind }: MembersProps) {
  const { catalogue } = useAuthoring();
  const { one, many } = KIND_MODULES[kind];
  const [keys, setKeys] = useMember<string[]>(member);
  const { items, add, remove, move } = useKeyedList(keys, setKeys);
  const all: readonly Named[] = catalogue[kind];
  const free = all.filter(({ key, active }) => active && !keys.includes(key));
  return (
    <Section title={many} at={[member]} description={`Shown in this order. Drag a ${one}, or move it with its arrows.`}>
      {items.length === 0 ? (
        <p className="text-quiet">This collection is empty.</p>
      ) : (
        <Sortable
          className="gap-1.5"
          ids={items.map(({ id }) => id)}
          onMove={move}
          nameOf={(at) => find(all, keys[at])?.name ?? keys[at] ?? ""}
        >
          {(at, handle) => (
            <Spot at={[member, at]}>
              <MemberRow
                at={at}
                kind={kind}
                named={find(all, keys[at])}
                memberKey={keys[at] ?? ""}
                handle={handle}
                onRemove={() => remove(at)}
              />
            </Spot>
          )}
        </Sortable>
      )}
      <Place at={[member, items.length]} label={`Add a ${one}`}>
        <Combobox
          key={items.length}
          value={null}
          onValueChange={(key) => key !== null && add(key)}
          options={free.map(({ key, name }) => ({ value: key, label: name, hint: key }))}
          placeholder={`Search ${many.toLowerCase()}…`}
          emptyText={all.length === 0 ? `There are no ${many.toLowerCase()} yet.` : "No matches, or already in the collection."}
        />
      </Place>
    </Section>
  );
}

interface RowProps {
  at: number;
  kind: MembersProps["kind"];
  named: Named | undefined;
  memberKey: string;
  handle: ReactNode;
  onRemove(): void;
}

function MemberRow({ at, kind, named, memberKey, handle, onRemove }: RowProps) {
  const { href } = useWhere();
  const name = named?.name ?? memberKey;
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-paper py-1 pr-1 pl-2">
      {handle}
      <span className="w-5 text-right text-xs text-faint tabular-nums">{at + 1}</span>
      <span className="min-w-0 flex-1">
        <Link href={href(definitionPath(kind, memberKey))} className="block truncate font-medium hover:underline">
          {name}
        </Link>
        {name !== memberKey && <code className="block truncate font-mono text-xs text-faint">{memberKey}</code>}
      </span>
      {named !== undefined && !named.active && <Badge>Off</Badge>}
      <IconButton size="sm" label={`Remove ${name}`} icon={<X aria-hidden />} onClick={onRemove} />
    </div>
  );
}
