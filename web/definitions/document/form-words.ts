import { findingWords } from "#server/model/rules/file-words.ts";
import { type FindingCode, type FindingWords, type Mistake, wordsFor } from "#server/model/rules/finding.ts";
import { NOUNS } from "#server/model/rules/naming.ts";
import { typeName, TYPES } from "./type-names.ts";

/** Rewords findings for forms, whose users know fields, not file members. The list names every code, so that each new one is decided on. */

/** Kinds in the screens' words. */
const NAMED = findingWords({ ...NOUNS, marketplaceItems: "listing", marketplaceCollections: "listing collection" });

/** Fields whose label differs from the member. */
const FIELDS: Record<string, string> = {
  objectiveOrder: "objective order",
  valueType: "type of value",
  scoreSource: "score source",
  rankOrder: "order",
  teamAttribute: "team attribute",
  where: "filter",
  "period/kind": "period",
};

/** The bound is the largest number that can be stored; no user reaches it. */
const MAX: ReadonlySet<number> = new Set([Number.MAX_SAFE_INTEGER, 2_147_483_647]);

const BASE_CURRENCY = "and this environment has none yet; choose one in the settings";

/** The previous fixed value: types by name; JSON is left out. */
function stoodAs(before: string | null): string {
  if (before === null) return "";
  const type = TYPES[before.slice(1, -1)];
  if (before.startsWith('"') && type !== undefined) return `; there it is ${type}`;
  if (before === "true" || before === "false") return `; it is ${before === "true" ? "yes" : "no"}`;
  return /^[[{"]/.test(before) ? "" : `; it is ${before}`;
}

const FORM_WORDS: FindingWords = {
  "shape.object": NAMED["shape.object"],
  "shape.rule": NAMED["shape.rule"],
  "shape.kind": NAMED["shape.kind"],
  "shape.type": NAMED["shape.type"],
  "shape.one_of": NAMED["shape.one_of"],
  "shape.literal": NAMED["shape.literal"],
  "shape.wrong": NAMED["shape.wrong"],
  "shape.missing": ({ wanted }) => {
    const words = formWords(wanted);
    return words.startsWith("must ") ? `is missing; it ${words}` : words;
  },
  "shape.member_unknown": NAMED["shape.member_unknown"],
  "shape.name": ({ wanted }) => `its name ${formWords(wanted)}`,
  "shape.list": NAMED["shape.list"],
  "shape.entries_most": NAMED["shape.entries_most"],
  "shape.entries_least": NAMED["shape.entries_least"],
  "shape.string": NAMED["shape.string"],
  "shape.text": NAMED["shape.text"],
  "shape.text_empty": () => "fill this in",
  "shape.text_long": NAMED["shape.text_long"],
  "shape.texts": NAMED["shape.texts"],
  "shape.language": NAMED["shape.language"],
  "shape.language_tag": NAMED["shape.language_tag"],
  "shape.language_unknown": NAMED["shape.language_unknown"],
  "shape.language_twice": () => "is there twice; change or remove one",
  "shape.language_lacking": NAMED["shape.language_lacking"],
  "shape.key": () => "use lowercase letters, digits and _ only, with a letter first, such as order_placed; at most 100 characters",
  "shape.reference": NAMED["shape.reference"],
  "shape.flag": () => "must be yes or no",
  "shape.instant": () => "choose a date and time",
  "shape.whole_number": ({ least, most }) =>
    MAX.has(most) ? `must be a whole number of at least ${least}` : `must be a whole number from ${least} to ${most}`,
  "shape.number_wide": NAMED["shape.number_wide"],
  "shape.number_positive": NAMED["shape.number_positive"],
  "shape.hours": NAMED["shape.hours"],
  "shape.scalar": () => "enter a value",
  "shape.currency": NAMED["shape.currency"],
  "shape.currency_code": () => "choose a currency",
  "shape.images": NAMED["shape.images"],
  "shape.image": () => "enter a URL that starts with https://, or upload an image",
  "shape.image_id": NAMED["shape.image_id"],
  "shape.image_hash": NAMED["shape.image_hash"],
  "shape.image_bytes": NAMED["shape.image_bytes"],
  "shape.version": NAMED["shape.version"],

  "document.not_json": NAMED["document.not_json"],
  "document.bad_text": NAMED["document.bad_text"],
  "document.bad_name": NAMED["document.bad_name"],
  "document.too_deep": NAMED["document.too_deep"],
  "document.more_problems": NAMED["document.more_problems"],
  "document.too_many_members": NAMED["document.too_many_members"],

  "operator.does_not_fit": NAMED["operator.does_not_fit"],
  "value.list_wanted": () => "add at least one value",
  "value.single_wanted": NAMED["value.single_wanted"],
  "value.type_wanted": ({ type }) => {
    if (type === "DateTime") return "choose a date and time";
    return { String: "must be text", Number: "must be a number", Boolean: "must be yes or no" }[type];
  },
  "measure.property_missing": NAMED["measure.property_missing"],
  "measure.type_wanted": ({ measure, wanted, type }) =>
    `${measure} needs a property of type ${wanted.join(" or ")}, and this is of the type ${typeName(type)}`,
  "property.unknown": NAMED["property.unknown"],
  "attribute.type_wanted": ({ key, wanted, type }) =>
    `needs an attribute of type ${wanted}, and ${JSON.stringify(key)} is of the type ${typeName(type)}`,
  "item.list_wanted": () => `must be a list, as the catalog item is of the type ${typeName("Collection")}`,
  "item.single_wanted": ({ type }) => `must be a single value, as the catalog item is of the type ${typeName(type)}`,
  "schedule.ends_before_start": () => "must be later than the start",
  "rule.too_large": NAMED["rule.too_large"],
  "rule.too_many_rollups": NAMED["rule.too_many_rollups"],
  "segment.circle": NAMED["segment.circle"],

  "mission.too_many_conditions": NAMED["mission.too_many_conditions"],
  "mission.satisfied_at_once": NAMED["mission.satisfied_at_once"],
  "mission.only_limits": NAMED["mission.only_limits"],
  "mission.repeats_at_once": NAMED["mission.repeats_at_once"],
  "mission.objectives_fixed": () => NAMED["definition.fixed"]({ kind: "missions", member: "objectives", before: null }),
  "streak.source_missing": NAMED["streak.source_missing"],
  "streak.milestone_repeated": ({ length }) => `there is a milestone of length ${length} already; change or remove one`,
  "leaderboard.source_missing": NAMED["leaderboard.source_missing"],
  "leaderboard.member_unwanted": NAMED["leaderboard.member_unwanted"],
  "leaderboard.score_not_number": ({ measure, type }) =>
    `a score is a number; ${measure} needs a property of type Number, and this is of the type ${typeName(type)}`,
  "leaderboard.season_reached": NAMED["leaderboard.season_reached"],
  "league.needs_periods": NAMED["league.needs_periods"],
  "league.with_teams": () => "does not go with a team attribute: a league moves players between tiers; change or remove one",
  "league.group_too_small": ({ least }) => `must be at least ${least}, as many as move up and down together`,
  "league.tier_repeated": NAMED["league.tier_repeated"],
  "prize.ends_too_early": ({ least }) => `must be at least ${least}, where its ranks begin`,
  "prize.overlaps": NAMED["prize.overlaps"],

  "money.base_fixed": NAMED["money.base_fixed"],
  "money.base_kept": NAMED["money.base_kept"],
  "money.base_missing": ({ for: what }) =>
    what === "metric" ? `a metric of money needs a base currency, ${BASE_CURRENCY}` : `a rate is to the base currency, ${BASE_CURRENCY}`,
  "money.rates_left": NAMED["money.rates_left"],
  "money.rate_of_base": ({ currency }) => `${currency} is the base currency, which needs no rate; choose another currency`,
  "image.unknown": ({ id }) => `there is no image ${JSON.stringify(id)} in this project; upload it again`,
  "image.too_large": NAMED["image.too_large"],
  "image.none": NAMED["image.none"],
  "image.wrong_size": NAMED["image.wrong_size"],
  "image.too_complicated": NAMED["image.too_complicated"],
  "image.broken": NAMED["image.broken"],
  "image.unsafe": NAMED["image.unsafe"],
  "image.no_room": NAMED["image.no_room"],

  "environment.too_much": NAMED["environment.too_much"],
  "definition.reference_unknown": NAMED["definition.reference_unknown"],
  "definition.repeated": ({ kind, key, hasKey }) => {
    const isThere = `the ${NOUNS[kind]} ${JSON.stringify(key)} is in the list already`;
    return `${isThere}; ${hasKey ? "use another key" : "change or remove one"}`;
  },
  "definition.member_repeated": ({ kind, key }) =>
    `the collection has the ${kind === "marketplaceItems" ? "listing" : NOUNS[kind]} ${JSON.stringify(key)} already; change or remove one`,
  "definition.taken": NAMED["definition.taken"],
  "definition.not_there": NAMED["definition.not_there"],
  "definition.deleted": NAMED["definition.deleted"],
  "definition.changed_meanwhile": NAMED["definition.changed_meanwhile"],
  "definition.one_environment": NAMED["definition.one_environment"],
  "definition.switched_off": NAMED["definition.switched_off"],
  "definition.still_used": NAMED["definition.still_used"],
  "definition.fixed": ({ kind, member, before }) => {
    const fixed = NAMED["definition.fixed"]({ kind, member: FIELDS[member] ?? member, before: null });
    return `${member === "optIn" ? fixed.replace("the optIn of a mission", "the entry of a mission") : fixed}${stoodAs(before)}`;
  },
  "definition.key_fixed": NAMED["definition.key_fixed"],
  "definition.start_reached": NAMED["definition.start_reached"],
  "definition.named": NAMED["definition.named"],
  "definition.touched": NAMED["definition.touched"],
  "definition.too_much_data": NAMED["definition.too_much_data"],
  "property.repeated": NAMED["property.repeated"],
  "property.type_fixed": ({ key, before }) =>
    before === null
      ? NAMED["property.type_fixed"]({ key, before })
      : `the type of a property cannot change; add a property under a new key; ${JSON.stringify(key)} is of the type ${typeName(before)}`,
  "property.still_read": (params) => `${NAMED["property.still_read"](params)}; put it back, or take it out there first`,
};

/** A problem in a form's words, beginning with a verb or with what is wrong. */
export const formWords = (one: Mistake): string => wordsFor(FORM_WORDS, one);

/** A finding from the service. */
export interface Sent {
  code: string;
  params: object;
  message?: string;
}

/** The same for the service's findings; an unknown code keeps the service's sentence. */
export const wordsOf = (sent: Sent): string => (sent.code in FORM_WORDS ? formWords(sent as unknown as Mistake) : (sent.message ?? ""));

/** Messages about immutable members are complete by themselves. */
const NAME_THEMSELVES: ReadonlySet<string> = new Set<FindingCode>([
  "definition.fixed",
  "definition.key_fixed",
  "definition.start_reached",
  "leaderboard.season_reached",
  "mission.objectives_fixed",
  "money.base_fixed",
  "property.type_fixed",
]);

export const namesItself = ({ code }: Pick<Sent, "code">): boolean => NAME_THEMSELVES.has(code);
