import { Copy, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { formatInstant, parseInstant } from "#server/model/kernel/time.ts";
import type { ScalarType } from "#server/model/kernel/values.ts";
import { choices } from "../../components/choice.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { DecimalInput, Field, TextInput } from "../../components/inputs.tsx";
import { InstantInput } from "../../components/instant-input.tsx";
import { Select } from "../../components/select.tsx";
import { type DraftFact, type FactKind, factName, type ReadKeys, propertiesAtOnce } from "./facts.ts";

interface FactListProps {
  facts: readonly DraftFact[];
  onFactsChange(facts: DraftFact[]): void;
  /** The label of a row: listings are tried with attributes only. */
  noun: "event" | "attribute";
  kinds: readonly FactKind[];
  named: ReadKeys;
  /** RFC 3339: the first row's default time. */
  now: string;
  /** Problems of the rows, with pointers such as `/0/properties/amount`. */
  problems: readonly { pointer: string; message: string }[];
}

const MINUTE = 60_000;

/** Sample facts in rows: type, time, and properties. */
export function FactList({ facts, onFactsChange, noun, kinds, named, now, problems }: FactListProps) {
  const nextId = Math.max(0, ...facts.map(({ id }) => id)) + 1;
  const after = ({ occurredAt }: Pick<DraftFact, "occurredAt">): string => formatInstant((parseInstant(occurredAt ?? now) ?? 0) + MINUTE);
  const add = () => {
    const last = facts.at(-1);
    const first = kinds[0];
    if (first === undefined) return;
    const like = last ?? { kind: first.kind, key: first.key };
    const occurredAt = last === undefined ? now : after(last);
    onFactsChange([...facts, { id: nextId, kind: like.kind, key: like.key, occurredAt, properties: {}, value: "" }]);
  };
  if (kinds.length === 0) return <p className="text-quiet">Define an {noun} first to use it here.</p>;
  return (
    <div className="flex flex-col gap-2">
      <ol className="flex flex-col gap-2" aria-label={`Sample ${noun}s`}>
        {facts.map((fact, at) => (
          <FactRow
            key={fact.id}
            fact={fact}
            number={at + 1}
            kinds={kinds}
            named={named}
            errorAt={(pointer) => problems.find((one) => one.pointer === `/${at}/${pointer}`)?.message}
            onChange={(next) => onFactsChange(facts.map((one) => (one.id === fact.id ? next : one)))}
            onRepeat={() =>
              onFactsChange([...facts.slice(0, at + 1), { ...fact, id: nextId, occurredAt: after(fact) }, ...facts.slice(at + 1)])
            }
            onRemove={() => onFactsChange(facts.filter(({ id }) => id !== fact.id))}
          />
        ))}
      </ol>
      <Button size="sm" className="self-start" icon={<Plus />} onClick={add}>
        Add an {noun}
      </Button>
    </div>
  );
}

interface FactRowProps {
  fact: DraftFact;
  number: number;
  kinds: readonly FactKind[];
  named: ReadKeys;
  errorAt(pointer: string): string | undefined;
  onChange(fact: DraftFact): void;
  onRepeat(): void;
  onRemove(): void;
}

const NOUNS: Record<DraftFact["kind"], string> = { events: "Event", metrics: "Metric", attributes: "Attribute" };

function FactRow({ fact, number, kinds, named, errorAt, onChange, onRepeat, onRemove }: FactRowProps) {
  const [showsAll, setShowsAll] = useState(false);
  const known = kinds.find((one) => factName(one) === factName(fact));
  const all = known?.properties ?? [];
  const shown = known === undefined || showsAll ? all : propertiesAtOnce(fact, known, named);
  const options = kinds.map((one) => ({ value: factName(one), label: one.name, hint: NOUNS[one.kind] }));
  const choose = (name: string) => {
    const chosen = kinds.find((one) => factName(one) === name);
    if (chosen !== undefined) onChange({ ...fact, kind: chosen.kind, key: chosen.key, properties: {}, value: "" });
  };
  return (
    <li className="rounded-lg border border-line bg-raised p-3">
      <div className="flex items-start gap-2">
        <span className="mt-1.5 w-6 shrink-0 text-right text-xs text-faint tabular-nums" aria-hidden>
          {number}
        </span>
        <div className="grid min-w-0 flex-1 grid-cols-1 gap-2 sm:grid-cols-2">
          <Field label={`Sample ${number}`} isLabelHidden error={errorAt("key")}>
            <Select value={factName(fact)} onValueChange={choose} options={options} aria-label={`Sample ${number}`} />
          </Field>
          <Field label={`Time of sample ${number}`} isLabelHidden error={errorAt("occurredAt")}>
            <InstantInput value={fact.occurredAt} onValueChange={(occurredAt) => onChange({ ...fact, occurredAt })} />
          </Field>
          {shown.map(({ key, type, required }) => (
            <Field key={key} label={<span className="font-mono text-xs font-normal">{key}</span>} error={errorAt(`properties/${key}`)}>
              <FactValue
                type={type}
                isRequired={required === true}
                value={fact.properties[key] ?? ""}
                onValueChange={(text) => onChange({ ...fact, properties: { ...fact.properties, [key]: text } })}
              />
            </Field>
          ))}
          {known?.valueType != null && (
            <Field label={<span className="font-mono text-xs font-normal">value</span>} error={errorAt("value")}>
              <FactValue type={known.valueType} isRequired value={fact.value} onValueChange={(value) => onChange({ ...fact, value })} />
            </Field>
          )}
          {shown.length < all.length && (
            <Button variant="ghost" size="sm" className="self-end justify-self-start" onClick={() => setShowsAll(true)}>
              {shown.length === 0 ? "Properties" : "More properties"}
            </Button>
          )}
        </div>
        <div className="flex shrink-0 flex-col">
          <IconButton size="sm" label={`Repeat sample ${number}`} icon={<Copy />} onClick={onRepeat} />
          <IconButton size="sm" label={`Remove sample ${number}`} icon={<Trash2 />} onClick={onRemove} />
        </div>
      </div>
    </li>
  );
}

interface ValueInputProps {
  type: ScalarType;
  isRequired?: boolean;
  /** As text; empty: none. */
  value: string;
  onValueChange(value: string): void;
}

const NO_VALUE = "none";

function FactValue({ type, isRequired = false, value, onValueChange }: ValueInputProps) {
  const placeholder = isRequired ? "required" : "none";
  switch (type) {
    case "Number":
      return <DecimalInput value={value} onValueChange={onValueChange} placeholder={placeholder} />;
    case "String":
      return <TextInput value={value} onValueChange={onValueChange} placeholder={placeholder} autoComplete="off" />;
    case "DateTime":
      return <InstantInput value={value === "" ? null : value} onValueChange={(next) => onValueChange(next ?? "")} />;
    case "Boolean":
      return (
        <Select
          value={value === "" ? NO_VALUE : value}
          onValueChange={(next) => onValueChange(next === NO_VALUE ? "" : next)}
          options={choices({ [NO_VALUE]: placeholder, true: "Yes", false: "No" })}
        />
      );
  }
}
