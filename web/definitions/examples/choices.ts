import type { AuthoringExample, ExampleChoices, ExampleNeed } from "#server/model/rules/authoring-examples.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { SHAPES } from "#server/model/definitions/contract.ts";
import { definitionOf, draftOf, nextKey } from "../document/draft.ts";
import type { AlongDocument } from "../along.tsx";

/** The environment's definitions that could meet a need. */
interface Source {
  key: string;
  name: string;
  active: boolean;
  type?: string;
  properties?: readonly { key: string; type: string }[];
}
type Known = Readonly<Record<ExampleNeed["kind"], readonly Source[]>>;

export interface NeedOption {
  /** In the address: a key, followed by a colon and a property where needed; `MAKE` for a new definition. */
  value: string;
  label: string;
  hint: string;
  /** Why a new definition is created beside one of the same name. */
  note?: string;
}

/** The need is met by a new definition. */
export const MAKE = "+";

/** Maximum definitions offered for a need; beyond it the newest are left out. */
const MAX_OFFERED = 200;

/** The choices for a need: a new definition first, then existing ones with the requested property. */
export function optionsFor(need: ExampleNeed, known: Known): NeedOption[] {
  const { key, name } = newFor(need, known);
  const there = known[need.kind]
    .filter(({ active }) => active)
    .flatMap((one): NeedOption[] => {
      if (need.property === undefined) return [{ value: one.key, label: one.name, hint: one.key }];
      const { type } = need.property;
      const fitting = (one.properties ?? []).filter((property) => property.type === type);
      return fitting.map((property) => ({
        value: `${one.key}:${property.key}`,
        label: `${one.name} · ${property.key}`,
        hint: `${one.key}, property ${property.key}`,
      }));
    });
  const made = need.property === undefined ? key : `${key}, with the property ${need.property.key}`;
  const isAnother = key !== need.definition.key;
  const create = { value: MAKE, label: isAnother ? `Create another “${name}”` : `Create “${name}”`, hint: made };
  return [isAnother ? { ...create, note: noteFor(need, key, known) } : create, ...there.slice(0, MAX_OFFERED)];
}

/** The key of the example is taken: what creating under another one means. */
function noteFor({ definition, kind, property }: ExampleNeed, key: string, known: Known): string {
  const taken = known[kind].find((one) => one.key === definition.key)!;
  const isFitting = property === undefined || taken.properties?.some(({ type }) => type === property.type) === true;
  const lacks = isFitting ? "is switched off" : `has no property of the type ${property.type}`;
  const useIt = isFitting ? "switch it on" : `add a property such as ${property.key} to it`;
  const another = `This creates another one, ${key}`;
  if (isFitting && taken.active) return `“${taken.name}” (${taken.key}) exists. ${another}.`;
  return `“${taken.name}” (${taken.key}) exists, but ${lacks}. ${another}. To use the existing one, ${useIt} first.`;
}

/** The default choice: an existing definition with the same key, by a property of the type if it has one, otherwise a new one. */
export function usualFor(need: ExampleNeed, options: readonly NeedOption[]): string {
  const same = need.property === undefined ? need.definition.key : `${need.definition.key}:${need.property.key}`;
  const ofSameKey = options.find(({ value }) => value === same) ?? options.find(({ value }) => value.startsWith(`${need.definition.key}:`));
  return ofSameKey?.value ?? MAKE;
}

/** The definition created for a need, under a free key. */
function newFor({ definition, kind }: ExampleNeed, known: Known): ExampleNeed["definition"] {
  const isTaken = (key: string) => known[kind].some((one) => one.key === key);
  return isTaken(definition.key) ? { ...definition, key: nextKey(definition.key, isTaken) } : definition;
}

/** An example with the chosen names: its document, and its companions'. Missing or invalid choices in the address get defaults. */
export function filledIn(
  example: AuthoringExample,
  asked: Readonly<Record<string, string | string[] | undefined>>,
  known: Known,
): { definition: { key: string } & Record<string, unknown>; along: AlongDocument[] } {
  const along: AlongDocument[] = [];
  const choices: Record<string, ExampleChoices[string]> = {};
  for (const need of example.needs) {
    const options = optionsFor(need, known);
    const wanted = asked[need.name];
    const value = options.some((one) => one.value === wanted) ? (wanted as string) : usualFor(need, options);
    if (value === MAKE) {
      const made = newFor(need, known);
      along.push({ kind: need.kind, document: writeJson(made) });
      choices[need.name] = { key: made.key, ...(need.property && { property: need.property.key }) };
    } else {
      const [key = "", property] = value.split(":");
      choices[need.name] = { key, ...(property !== undefined && { property }) };
    }
  }
  return { definition: example.define(choices), along };
}

/**
 * The initial document of a form, as JSON text: the definition with its defaults written out. Texts get their language first, or they would
 * have none.
 */
export const documentOfExample = (kind: AuthoringExample["kind"], definition: object, language: string): string =>
  writeJson(SHAPES[kind].parse(definitionOf(draftOf(writeJson(definition), language))));
