import { findingWords } from "#server/model/rules/file-words.ts";
import { type FindingCode, type FindingWords, type Mistake, wordsFor } from "#server/model/rules/finding.ts";
import { SHOWN_NOUNS } from "#server/model/rules/nouns.ts";
import { capitalised, formatted } from "#server/model/kernel/thousands.ts";
import { fieldName, pathInWords, typeName } from "./labels.ts";
import type { Problem } from "./pointers.ts";

/** Rewords findings for forms, whose users know fields, not file members. */

/** Kinds in the screens' words. */
const NAMED = findingWords(SHOWN_NOUNS);

/** The bound is the largest number that can be stored; no user reaches it. */
const MAX: ReadonlySet<number> = new Set([Number.MAX_SAFE_INTEGER, 2_147_483_647]);

const BASE_CURRENCY = "and this environment has none yet; choose one in the settings";

/** The stored value of an immutable member, as the end of a sentence: types by name; JSON is left out. */
function storedWords(before: string | null): string {
  if (before === null) return "";
  const value = before.slice(1, -1);
  if (before.startsWith('"') && typeName(value) !== value) return `; there it is ${typeName(value)}`;
  if (before === "true" || before === "false") return `; it is ${before === "true" ? "yes" : "no"}`;
  return /^[[{"]/.test(before) ? "" : `; it is ${before}`;
}

const FORM_WORDS: FindingWords = {
  ...NAMED,
  "shape.missing": ({ wanted }) => {
    const words = formWords(wanted);
    return words.startsWith("must ") ? `is missing; it ${words}` : words;
  },
  "shape.name": ({ wanted }) => `its name ${formWords(wanted)}`,
  "shape.text_empty": () => "fill this in",
  "shape.language_twice": () => "is listed twice; change or remove one",
  "shape.key": () => "use lowercase letters, digits and _ only, with a letter first, such as order_placed; at most 100 characters",
  "shape.flag": () => "must be yes or no",
  "shape.instant": () => "choose a date and time",
  "shape.whole_number": ({ least, most }) =>
    MAX.has(most) ? `must be a whole number of at least ${least}` : `must be a whole number from ${least} to ${formatted(most)}`,
  "shape.scalar": () => "enter a value",
  "shape.currency_code": () => "choose a currency",
  "shape.image": () => "enter a URL that starts with https://, or upload an image",

  "value.list_wanted": () => "add at least one value",
  "value.type_wanted": ({ type }) => {
    if (type === "DateTime") return "choose a date and time";
    return { String: "must be text", Number: "must be a number", Boolean: "must be yes or no" }[type];
  },
  "measure.type_wanted": ({ measure, wanted, type }) =>
    `${measure} needs a property of type ${wanted.join(" or ")}, and this is of the type ${typeName(type)}`,
  "attribute.type_wanted": ({ key, wanted, type }) =>
    `needs an attribute of type ${wanted}, and ${JSON.stringify(key)} is of the type ${typeName(type)}`,
  "item.list_wanted": () => `must be a list, as the catalog item is of the type ${typeName("Collection")}`,
  "item.single_wanted": ({ type }) => `must be a single value, as the catalog item is of the type ${typeName(type)}`,
  "shape.time_of_day": () => "enter a time",
  "when.empty": () => "choose weekdays, or enter a time",
  "when.no_time": () => "must differ from the start; leave both empty for the whole day",
  "schedule.ends_before_start": () => "must be later than the start",
  "mission.objectives_fixed": () => NAMED["definition.fixed"]({ kind: "missions", member: "objectives", before: null }),
  "streak.milestone_repeated": ({ length }) => `there is a milestone of length ${length} already; change or remove one`,
  "leaderboard.score_not_number": ({ measure, type }) =>
    `a score is a number; ${measure} needs a property of type Number, and this is of the type ${typeName(type)}`,
  "league.with_teams": () => "cannot be combined with a team attribute: a league moves players between tiers; change or remove one",
  "league.group_too_small": ({ least }) => `must be at least ${least}, as many as move up and down together`,
  "prize.ends_too_early": ({ least }) => `must be at least ${least}, where its ranks begin`,
  "money.base_missing": ({ for: what }) =>
    what === "metric" ? `a metric of money needs a base currency, ${BASE_CURRENCY}` : `a rate is to the base currency, ${BASE_CURRENCY}`,
  "money.rates_left": ({ codes, currency }) => `the rates of ${codes.join(", ")} are to ${currency}; delete them first and add them again`,
  "money.rate_of_base": ({ currency }) => `${currency} is the base currency, which needs no rate; choose another currency`,
  "image.unknown": ({ id }) => `there is no image ${JSON.stringify(id)} in this project; upload it again`,
  "definition.repeated": ({ kind, key, hasKey }) => {
    const isThere = `the ${SHOWN_NOUNS[kind]} ${JSON.stringify(key)} is in the list already`;
    return `${isThere}; ${hasKey ? "use another key" : "change or remove one"}`;
  },
  "definition.member_repeated": ({ kind, key }) =>
    `the collection has the ${SHOWN_NOUNS[kind]} ${JSON.stringify(key)} already; change or remove one`,
  "definition.fixed": ({ kind, member, before }) =>
    `${NAMED["definition.fixed"]({ kind, member: fieldName(member.split("/")[0]!), before: null })}${storedWords(before)}`,
  "property.type_fixed": ({ key, before }) =>
    before === null
      ? NAMED["property.type_fixed"]({ key, before })
      : `the type of a property cannot change; add a property under a new key; ${JSON.stringify(key)} is of the type ${typeName(before)}`,
  "property.still_read": (params) => `${NAMED["property.still_read"](params)}; put it back, or take it out there first`,
};

/** A problem in a form's words, beginning with a verb or with the mistake. */
export const formWords = (one: Mistake): string => wordsFor(FORM_WORDS, one);

/** A finding from the service. */
export interface Sent {
  code: string;
  params: object;
  message?: string;
}

/** The same for the service's findings; an unknown code keeps the service's sentence. */
export const wordsOf = (sent: Sent): string => (sent.code in FORM_WORDS ? formWords(sent as unknown as Mistake) : (sent.message ?? ""));

/** A finding as a sentence. */
export const sentenceOf = (sent: Sent): string => asSentence(wordsOf(sent));

/** Why a definition cannot be deleted; null if it can be. */
export const keptBecause = ({ allowed, because }: { allowed: boolean; because: Sent | null }): string | null =>
  allowed ? null : because === null ? "It can't be deleted." : sentenceOf(because);

export const DELETION_IN_WORDS =
  "No player has used it and nothing refers to it. Its alerts and budgets stop, and a new one with the same key does not get them. This cannot be undone.";

/** A phrase that begins with a verb, as a sentence. */
export function asSentence(words: string): string {
  const text = words.trim();
  if (text === "") return "Something is wrong here.";
  const begun = capitalised(text);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}

/** Messages about immutable members are complete by themselves. */
const NAME_THEMSELVES: ReadonlySet<string> = new Set<FindingCode>([
  "definition.fixed",
  "definition.key_fixed",
  "definition.start_reached",
  "leaderboard.season_reached",
  "leaderboard.season_ended",
  "mission.objectives_fixed",
  "money.base_fixed",
  "property.type_fixed",
]);

export const namesItself = ({ code }: Pick<Sent, "code">): boolean => NAME_THEMSELVES.has(code);

/** A problem shown away from its field: with its place, as a list line. Messages about immutable members name it already. */
export const asLine = ({ pointer, message, namesItself: isNamed = false }: Problem): string =>
  pointer === "" || isNamed ? asSentence(message) : `${pathInWords(pointer)}: ${asSentence(message)}`;

/** The service's findings, in a form's words. */
export const problemSent = ({ pointer, ...sent }: Sent & { pointer: string }): Problem => ({
  pointer,
  message: sentenceOf(sent),
  namesItself: namesItself(sent),
});
