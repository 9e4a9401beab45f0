import type { Environment } from "../kernel/environment.ts";
import { writeJson } from "../kernel/json.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { hasKey, type KeyedKind, type KIND_MODULES, KINDS, moduleOf, type Shaped } from "./kinds.ts";
import { type Overview, titleOf } from "./overview.ts";
import type { Stored } from "./stored.ts";
import { textsIn } from "./texts-in.ts";

interface Item {
  key: string;
  name: string;
  active: boolean;
}

/** By kind, the definitions that a form may name, with the details of their kind (`options` of its module). */
type Lists = { [K in KeyedKind]: (Item & ReturnType<(typeof KIND_MODULES)[K]["options"]["of"]>)[] };

/** Everything that a form may refer to, in the order of creation; names are in the project's default language. */
export interface AuthoringOptions extends Lists {
  /** The definitions' version: if it is unchanged, so is the rest. */
  version: number;
  defaultLanguage: string;
  timeZone: string;
  baseCurrency: string | null;
  /** All languages in which any text is written, the default one first. */
  languages: string[];
  /** The currencies that amounts can have: the base currency with a rate of 1, and those that have a rate. Rates are decimal texts. */
  currencies: { code: string; rate: string }[];
}

export function* authoringOptionsOf(
  { stored: { lists, settings } }: Overview,
  { defaultLanguage, timeZone, definitionsVersion }: Environment,
): Steps<AuthoringOptions> {
  const { baseCurrency } = settings;
  return {
    version: definitionsVersion,
    defaultLanguage,
    timeZone,
    baseCurrency,
    languages: yield* languagesIn(lists, defaultLanguage),
    ...(yield* listsOf(lists, defaultLanguage)),
    currencies: [
      ...(baseCurrency === null ? [] : [{ code: baseCurrency, rate: "1" }]),
      ...lists.exchangeRates.flatMap(({ shaped }) => (shaped.active ? [{ code: shaped.currencyCode, rate: String(shaped.rate) }] : [])),
    ],
  };
}

/**
 * Bytes of names, properties and the like. Every page loads them, so beyond this limit definitions only have their keys: lists are empty
 * and images left out.
 */
const MAX_BYTES = 4 * 1024 * 1024;

function* listsOf(lists: Overview["stored"]["lists"], language: string): Steps<Lists> {
  const options: Record<string, unknown> = {};
  let left = MAX_BYTES;
  for (const kind of KINDS.filter(hasKey)) {
    const { options: ownMembers } = moduleOf(kind);
    options[kind] = yield* mapInSteps(lists[kind] as readonly Stored[], ({ shaped }) => {
      const item = { ...itemOf(shaped, language), ...ownMembers.of(shaped) };
      const bytes = Buffer.byteLength(writeJson(item));
      if (bytes > left) return byKeyAlone(item);
      left -= bytes;
      return item;
    });
  }
  return options as unknown as Lists;
}

const byKeyAlone = (item: Item): Item => {
  const { key, active, name: _, ...members } = item;
  const empty = Object.entries(members).map(([member, value]) => [member, Array.isArray(value) ? [] : member === "icon" ? null : value]);
  return { ...(Object.fromEntries(empty) as object), key, name: key, active };
};

const itemOf = (shaped: Shaped, language: string): Item => ({ key: shaped.key, name: titleOf(shaped, language), active: shaped.active });

function* languagesIn(lists: Overview["stored"]["lists"], defaultLanguage: string): Steps<string[]> {
  const languages = new Set([defaultLanguage]);
  const collect = ({ shaped }: Stored): void => {
    for (const { text } of textsIn(shaped)) for (const language of Object.keys(text.texts)) languages.add(language);
  };
  for (const list of Object.values(lists)) yield* mapInSteps(list as readonly Stored[], collect);
  return [...languages];
}
