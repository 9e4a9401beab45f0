import type { Choice } from "#server/model/rules/value.ts";
import Link from "next/link";
import type { ReactNode } from "react";
import { Combobox } from "../../components/combobox.tsx";
import { KIND_SCREENS } from "../kinds/index.ts";
import { useWhere } from "../../client/service.tsx";
import type { ScalarType } from "#server/model/kernel/values.ts";
import type { CatalogueEntry, Property } from "../catalogue.ts";
import { articled } from "#server/model/rules/naming.ts";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { typeName } from "../document/labels.ts";
import { useAuthoring } from "../form/authoring.tsx";
import { option } from "../../components/choice.tsx";

export type PickedKind = "events" | "metrics" | "attributes" | "segments" | "catalogItems" | "missions" | "streaks";

interface PickerProps {
  kind: PickedKind;
  value: Choice;
  onValueChange(value: Choice): void;
  /** Allowed keys; all by default. */
  accept?(one: CatalogueEntry): boolean;
}

/** A definition picker, by name or key. Inactive definitions are offered only where already chosen. */
export function DefinitionPicker({ kind, value, onValueChange, accept = () => true }: PickerProps) {
  const { catalogue } = useAuthoring();
  const { href } = useWhere();
  const { one, many, path, icon: Icon } = KIND_SCREENS[kind];
  const among: readonly CatalogueEntry[] = catalogue[kind];
  const options = among
    .filter((named) => named.key === value || (named.active && accept(named)))
    .map((named) => option(named.key, named.name, Icon, named.active ? named.key : `${named.key} (switched off)`));
  return (
    <Combobox
      aria-label={one}
      value={value === "" ? null : value}
      onValueChange={onValueChange}
      options={options}
      placeholder={`Choose ${articled(one)}…`}
      emptyText={<NothingThere isEmpty={options.length === 0} many={many.toLowerCase()} href={href(`/${path}/new`)} />}
    />
  );
}

const NothingThere = ({ isEmpty, many, href }: { isEmpty: boolean; many: string; href: string }): ReactNode => (
  <>
    {isEmpty ? `No ${many} yet.` : "No matches."}{" "}
    <Link href={href} target="_blank" className="font-medium text-accent underline underline-offset-2">
      Create one
    </Link>
  </>
);

interface PropertyProps {
  properties: readonly Property[];
  value: Choice;
  onValueChange(value: Choice): void;
  accept?(type: ScalarType): boolean;
  /** The label for no property: a metric's own value. */
  ownValue?: string;
}

const OWN = " ";

/** A property picker for an event or a metric. */
export function PropertyPicker({ properties, value, onValueChange, accept = () => true, ownValue }: PropertyProps) {
  const fitting = properties.filter((property) => property.key === value || accept(property.type));
  const options = fitting.map(({ key, type }) => ({ value: key, label: key, hint: capitalised(typeName(type)) }));
  if (ownValue !== undefined) options.unshift({ value: OWN, label: ownValue, hint: "Number" });
  return (
    <Combobox
      aria-label="property"
      value={value || (ownValue === undefined ? null : OWN)}
      onValueChange={(next) => onValueChange(next === OWN ? null : next)}
      options={options}
      placeholder="Choose a property…"
      emptyText={properties.length === 0 ? "No properties." : "No matching property."}
    />
  );
}
