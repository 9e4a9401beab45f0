import { listed, missing, named, type Phrase, say, valued, words } from "#server/model/rules/phrase.ts";
import { numberInWords } from "#server/model/rules/value.ts";
import { exactly } from "../../components/exactly.ts";
import { nameIn, type Named } from "../catalogue.ts";
import { typeName } from "../document/type-names.ts";
import { line, type Summarize } from "./summary.ts";

interface Property {
  key: string;
  type: string;
  required: boolean;
}

const propertyPhrase = ({ key, type, required }: Property): Phrase => say`${named(key)}: ${typeName(type)}${required ? ", required" : ""}`;

const propertiesLine = (draft: { properties?: unknown }) => {
  const properties = (draft.properties ?? []) as Property[];
  return line("Properties", ...(properties.length === 0 ? [words("none")] : properties.map(propertyPhrase)));
};

export const eventSummary: Summarize = (draft) => [propertiesLine(draft)];

export const metricSummary: Summarize = (draft) => [
  line("Value", words(draft.kind === "Currency" ? "an amount of money" : "a number")),
  propertiesLine(draft),
];

export const attributeSummary: Summarize = (draft) => [line("Type", words(typeName(String(draft.type))))];

export const catalogItemSummary: Summarize = (draft) => [line("Type of value", words(typeName(String(draft.valueType))))];

const membersLine = (term: string, keys: unknown, among: readonly Named[]) => {
  const members = (keys as string[]).map((key) => named(nameIn(among, key)));
  return { ...line(term, ...(members.length === 0 ? [missing("none yet")] : members)), isOrdered: members.length > 1 };
};

export const missionCollectionSummary: Summarize = (draft, { missions }) => [membersLine("Missions, in order", draft.missions, missions)];

export const listingCollectionSummary: Summarize = (draft, { marketplaceItems }) => [
  membersLine("Listings, in order", draft.items, marketplaceItems),
];

const amount = (value: unknown, unit: string): Phrase =>
  value == null ? missing("…") : valued(`${numberInWords(value as number)} ${unit}`);

export const exchangeRateSummary: Summarize = (draft) => [
  line("Rate", say`${valued(`1 ${String(draft.currencyCode)}`)} is worth ${amount(draft.rate, "in the base currency")}`),
];

export const valuationSummary: Summarize = (draft, { timeZone }) => [
  line("From", typeof draft.effectiveFrom === "string" ? valued(exactly(draft.effectiveFrom, timeZone)) : missing("…")),
  line("Worth", listed([amount(draft.points, "points"), amount(draft.amount, String(draft.currency))], "are worth")),
];
