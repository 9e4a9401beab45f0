"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { DefinitionLink } from "#web/client/links.tsx";
import { KIND_SCREENS } from "../index.ts";
import { IconButton } from "#web/components/button.tsx";
import { Combobox } from "#web/components/combobox.tsx";
import { Badge } from "#web/components/surface.tsx";
import { find, type CatalogueEntry } from "../../catalogue.ts";
import { useKeyedList } from "../../fields/keyed-list.ts";
import { Sortable } from "../../fields/sortable.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { FormField, InlineField, Section } from "../../form/form-field.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import type { Begin } from "../../form/form-state.ts";
import { Identity } from "../../fields/identity.tsx";

export const MissionCollectionForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="missionCollections">
    <Identity namePlaceholder="First steps" />
    <CollectionMembers member="missions" kind="missions" />
  </DefinitionForm>
);

export const ListingCollectionForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="marketplaceCollections">
    <Identity namePlaceholder="For the morning" />
    <CollectionMembers member="items" kind="marketplaceItems" />
  </DefinitionForm>
);

interface MembersProps {
  member: "missions" | "items";
  kind: "missions" | "marketplaceItems";
}

/** A collection's members in their order. */
function CollectionMembers({ member, kind }: MembersProps) {
  const { catalogue } = useAuthoring();
  const { one, many } = KIND_SCREENS[kind];
  const [keys, setKeys] = useMember<string[]>(member);
  const { items, add, remove, move } = useKeyedList(keys, setKeys);
  const all: readonly CatalogueEntry[] = catalogue[kind];
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
            <InlineField at={[member, at]}>
              <CollectionRow
                at={at}
                kind={kind}
                named={find(all, keys[at])}
                memberKey={keys[at] ?? ""}
                handle={handle}
                onRemove={() => remove(at)}
              />
            </InlineField>
          )}
        </Sortable>
      )}
      <FormField at={[member, items.length]} label={`Add a ${one}`}>
        <Combobox
          key={items.length}
          value={null}
          onValueChange={(key) => key !== null && add(key)}
          options={free.map(({ key, name }) => ({ value: key, label: name, hint: key }))}
          placeholder={`Search ${many.toLowerCase()}…`}
          emptyText={all.length === 0 ? `There are no ${many.toLowerCase()} yet.` : "No matches, or already in the collection."}
        />
      </FormField>
    </Section>
  );
}

interface RowProps {
  at: number;
  kind: MembersProps["kind"];
  named: CatalogueEntry | undefined;
  memberKey: string;
  handle: ReactNode;
  onRemove(): void;
}

function CollectionRow({ at, kind, named, memberKey, handle, onRemove }: RowProps) {
  const name = named?.name ?? memberKey;
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-paper py-1 pr-1 pl-2">
      {handle}
      <span className="w-5 text-right text-xs text-faint tabular-nums">{at + 1}</span>
      <span className="min-w-0 flex-1">
        <DefinitionLink kind={kind} of={memberKey} className="block w-fit max-w-full truncate" name={name} />
        {name !== memberKey && <code className="block truncate font-mono text-xs text-faint">{memberKey}</code>}
      </span>
      {named !== undefined && !named.active && <Badge>Off</Badge>}
      <IconButton size="sm" label={`Remove ${name}`} icon={<X />} onClick={onRemove} />
    </div>
  );
}
