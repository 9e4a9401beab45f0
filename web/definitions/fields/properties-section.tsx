import { Lock, Plus, Trash2 } from "lucide-react";
import type { ScalarType } from "#server/model/kernel/values.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { Tooltip } from "../../components/overlay.tsx";
import { Select } from "../../components/select.tsx";
import { useKeyedList } from "./keyed-list.ts";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { InlineField, Section } from "../form/form-field.tsx";

interface PropertyDraft {
  key: string;
  type: ScalarType;
  required: boolean;
  private?: boolean | undefined;
}

export const TYPES: { value: ScalarType; label: string; hint: string }[] = [
  { value: "String", label: "Text", hint: "A product, a shop, a colour" },
  { value: "Number", label: "Number", hint: "An amount, a count; exact" },
  { value: "Boolean", label: "Yes or no", hint: "true or false" },
  { value: "DateTime", label: "Date and time", hint: "RFC 3339, such as 2026-01-31T09:00:00Z" },
];

/** The optional properties of an event or a metric. */
export function PropertiesSection({ of }: { of: string }) {
  const [properties, setProperties] = useMember<PropertyDraft[]>("properties");
  const { items, change, add, remove } = useKeyedList(properties, setProperties);
  return (
    <Section
      title="Properties"
      at={["properties"]}
      description={`What can be sent with ${of}. Rules can use these properties; any other is refused.`}
    >
      {items.length > 0 && (
        <ul className="flex flex-col gap-3">
          {items.map(({ id, item }, at) => (
            <PropertyRow key={id} at={at} property={item} onChange={(next) => change(at, next)} onRemove={() => remove(at)} />
          ))}
        </ul>
      )}
      <Button className="self-start" icon={<Plus />} onClick={() => add({ key: "", type: "String", required: false })}>
        Add a property
      </Button>
    </Section>
  );
}

interface RowProps {
  at: number;
  property: PropertyDraft;
  onChange(property: PropertyDraft): void;
  onRemove(): void;
}

function PropertyRow({ at, property, onChange, onRemove }: RowProps) {
  const { stored } = useAuthoring();
  const name = property.key || `Property ${at + 1}`;
  const place = ["properties", at] as const;
  // By key, not by index: earlier properties may have been removed.
  const isFixed = ((stored?.properties ?? []) as PropertyDraft[]).some(({ key }) => key === property.key);
  return (
    <li className="flex flex-wrap items-start gap-2">
      <InlineField at={[...place, "key"]} className="min-w-40 flex-1">
        <TextInput
          value={property.key}
          onValueChange={(key) => onChange({ ...property, key })}
          placeholder="amount"
          aria-label={`Key of property ${at + 1}`}
          className="font-mono text-[0.8125rem]"
          autoComplete="off"
          spellCheck={false}
        />
      </InlineField>
      <InlineField at={[...place, "type"]} className="w-40 max-sm:w-full">
        <Select
          value={property.type}
          onValueChange={(type) => onChange({ ...property, type })}
          options={TYPES}
          disabled={isFixed}
          aria-label={`Type of ${name}`}
        />
        {isFixed && (
          <Tooltip content="Can't be changed: rules are built on it">
            <span tabIndex={0} className="flex items-center gap-1 self-start rounded text-xs text-quiet">
              <Lock className="size-3" />
              Locked
            </span>
          </Tooltip>
        )}
      </InlineField>
      <Checkbox
        checked={property.required}
        onCheckedChange={(required) => onChange({ ...property, required })}
        label="Required"
        className="h-8 items-center"
      />
      <Tooltip content="Its values are never suggested in forms. For names, addresses and other personal data.">
        <span>
          <Checkbox
            checked={property.private ?? false}
            onCheckedChange={(isPrivate) => onChange({ ...property, private: isPrivate || undefined })}
            label="Private"
            className="h-8 items-center"
          />
        </span>
      </Tooltip>
      <IconButton label={`Remove ${name}`} icon={<Trash2 />} onClick={onRemove} />
    </li>
  );
}
