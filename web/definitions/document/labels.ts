import { languageName } from "#server/model/kernel/languages.ts";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { pathOf } from "./pointers.ts";

/** The screens' words for the members of a definition and for their values, as they stand in a sentence. */

/** Members whose label differs from their name. */
const FIELDS: Record<string, string> = {
  optIn: "entry",
  appearsIn: "shown",
  recurrence: "repeats",
  cadence: "repeats",
  window: "availability",
  onSale: "availability",
  startsAt: "start",
  endsAt: "end",
  valueType: "type of value",
  currencyCode: "currency",
  effectiveFrom: "from",
  rankOrder: "order",
  settleAfterMinutes: "settles after",
  topSize: "top list size",
  groupSize: "players in a group",
  promotes: "move up",
  relegates: "move down",
  earnEvery: "earn one every",
  max: "maximum held",
  cooldownHours: "pause between repeats",
  maxOccurrences: "maximum repeats",
  lastDays: "in the last days",
  where: "filter",
};

/** "objective order": a member's label; keys stay as they are. */
export const fieldName = (member: string): string =>
  FIELDS[member] ?? member.replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

/** An entry of a list. */
const ENTRIES: Record<string, string> = {
  objectives: "objective",
  rewards: "reward",
  milestones: "milestone",
  prizes: "prize",
  tiers: "tier",
  properties: "property",
  contents: "item",
  missions: "mission",
  items: "listing",
  all: "condition",
  any: "condition",
};

export const entryName = (list: string): string => ENTRIES[list] ?? "entry";

/** "Objective 1, condition 2, target", "Name in Dutch": a path in words, for a value shown away from its field. */
export function pathInWords(place: string | readonly string[]): string {
  const words: string[] = [];
  const whole = typeof place === "string" ? pathOf(place) : place;
  const path = whole.filter((name) => name !== "rule" && name !== "measure");
  const isEntry = (name: string | undefined): boolean => /^\d+$/.test(name ?? "");
  for (const [at, name] of path.entries()) {
    const list = path[at - 1];
    if (list === "texts") words.push(words.length === 0 ? languageName(name) : `${words.pop()!} in ${languageName(name)}`);
    else if (isEntry(name))
      words.push(list !== undefined && list in ENTRIES ? `${ENTRIES[list]!} ${Number(name) + 1}` : `#${Number(name) + 1}`);
    else if (name !== "texts" && !(isEntry(path[at + 1]) && name in ENTRIES)) words.push(fieldName(name));
  }
  return capitalised(words.length === 0 ? (whole.at(-1) ?? "") : words.join(", "));
}

const CHOICES: Record<string, Record<string, string>> = {
  optIn: { Automatic: "automatic", Manual: "opt-in" },
  objectiveOrder: { AnyOrder: "any order", InOrder: "in order" },
  appearsIn: { Feed: "feed and collections", Shop: "shop and collections", CollectionOnly: "collections only" },
  rankOrder: { HighestFirst: "highest first", LowestFirst: "lowest first" },
  active: { true: "on", false: "off" },
};

/** "opt-in": a member's value as the form calls it; null if the value has no name. */
export function choiceName(member: string, value: unknown): string | null {
  const choices = CHOICES[member] ?? {};
  return Object.hasOwn(choices, String(value)) ? choices[String(value)]! : null;
}

/** The named values of a member, for a choice in a form. */
export const choicesOf = (member: string, values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: capitalised(choiceName(member, value) ?? value) }));

const TYPES: Record<string, string> = {
  String: "text",
  Number: "number",
  Boolean: "yes or no",
  DateTime: "date and time",
  Collection: "list of texts",
  Currency: "money",
};

export const typeName = (type: string): string => TYPES[type] ?? type;
