import type { Choice, Value } from "#server/model/rules/value.ts";
import { type Catalogue, find } from "../catalogue.ts";
import type { Path } from "#server/model/rules/finding.ts";
import { useAuthoring } from "../form/authoring.tsx";
import { InlineField } from "../form/form-field.tsx";
import { ListInput } from "./list-input.tsx";
import { ScalarInput } from "./inputs.tsx";
import { DefinitionPicker } from "./pickers.tsx";

interface ItemProps {
  at: Path;
  catalogItem: Choice;
  value: Value;
  onChange(changes: { catalogItem: Choice; value: Value }): void;
}

/** A catalog item and the value to grant: a quantity, where it is a number. */
export function ItemValue({ at, catalogItem, value, onChange }: ItemProps) {
  const { catalogue } = useAuthoring();
  const item = find(catalogue.catalogItems, catalogItem);
  const type = item?.valueType;
  const label = type === "Number" ? "Quantity" : "Value";
  return (
    <>
      <InlineField at={[...at, "catalogItem"]} className="min-w-40 flex-1">
        <DefinitionPicker
          kind="catalogItems"
          value={catalogItem}
          onValueChange={(next) =>
            onChange({ catalogItem: next, value: startFor(find(catalogue.catalogItems, next)?.valueType, type, value) })
          }
        />
      </InlineField>
      <InlineField at={[...at, "value"]} className={type === "Number" ? "min-w-40 basis-40 has-[p]:basis-56" : "min-w-48 flex-1"}>
        <div className="flex min-w-0 items-center gap-2">
          <span aria-hidden className="shrink-0 text-[0.8125rem] text-quiet">
            {label}
          </span>
          {type === "Collection" ? (
            <ListInput
              type={undefined}
              values={Array.isArray(value) ? value : []}
              onValuesChange={(values) => onChange({ catalogItem, value: values })}
              aria-label={label}
            />
          ) : (
            <ScalarInput
              type={type}
              value={Array.isArray(value) ? null : value}
              onValueChange={(next) => onChange({ catalogItem, value: next })}
              aria-label={label}
            />
          )}
        </div>
      </InlineField>
    </>
  );
}

type ValueType = Catalogue["catalogItems"][number]["valueType"] | undefined;

/** The value for a newly chosen item: unchanged if the type is the same; otherwise 1 for a number, true for a boolean, else empty. */
function startFor(type: ValueType, before: ValueType, value: Value): Value {
  if (type === before && value !== null) return value;
  if (type === "Number") return 1;
  if (type === "Boolean") return true;
  return type === "Collection" ? [] : null;
}
