import type { ScalarType } from "../kernel/values.ts";
import { type DefinitionKind, type FindingWords, type Mistake, type Users, wordsFor } from "./finding.ts";
import { articled, didYouMean, quoted, quotedList, shortened } from "./naming.ts";
import { NOUNS } from "./nouns.ts";

/** The sentences of the definitions file and the command line, for readers of a file: they speak of members. */

const TYPE_NAMES: Record<ScalarType, string> = {
  String: "a string",
  Number: "a number",
  Boolean: "true or false",
  DateTime: "an RFC 3339 timestamp with an offset or Z",
};

const SHAPE_TYPES: Record<string, string> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  boolean: "true or false",
};

const NO_BASE = 'and this environment has none yet; choose it in the settings, or set "baseCurrency" in the file';

/** "EqualTo, In or NotIn" */
const inOneLine = (words: readonly string[], last: "and" | "or"): string =>
  [words.slice(0, -1).join(", "), words.at(-1)!].filter(Boolean).join(` ${last} `);

/** A few alternatives are joined as a sentence, many as a list. */
const kindsText = (kinds: readonly string[]): string => {
  const words = kinds.map((kind) => `"${kind}"`);
  return words.length > 3 ? `one of ${words.join(", ")}` : inOneLine(words, "or");
};

const before = (json: string | null): string => (json === null ? "" : `; it is ${shortened(json)}`);

const inFull = (count: number): string => count.toLocaleString("en");

const verb = ({ isOne }: Users): string => (isOne ? "uses" : "use");
const them = ({ isOne }: Users): string => (isOne ? "that" : "those");

const TOUCHES: Partial<Record<DefinitionKind, string>> = {
  events: "players have sent it",
  metrics: "players have amounts of it",
  attributes: "players have values for it",
  catalogItems: "players were given it",
  missions: "players are in it or have completed it",
  streaks: "players have streaks of it",
  leaderboards: "players have scores on it",
  marketplaceItems: "players have bought it",
};

/** The words for every code, with the nouns of their readers. */
export function findingWords(nouns: Record<DefinitionKind, string>): FindingWords {
  const memberFixed = (kind: DefinitionKind, member: string): string =>
    `the ${member} of ${articled(nouns[kind])} cannot change; define a new one under a new key${kind === "missions" ? " and switch this one off" : ""}`;

  /** `the segment "vip" and the missions "a", "b"`. */
  const namesOf = ({ groups }: Users): string =>
    groups
      .map(({ kind, keys, more }) => {
        const isOne = keys.length + more === 1;
        return `the ${nouns[kind]}${isOne ? "" : "s"} ${quotedList(keys)}${more > 0 ? ` and ${more} more` : ""}`;
      })
      .join(" and ");
  const inWords = (one: Mistake): string => wordsFor(words, one);
  const words: FindingWords = {
    "shape.object": ({ example }) => `must be an object such as ${example}`,
    "shape.rule": ({ rule, example }) => `must be ${articled(rule)} such as ${example}`,
    "shape.kind": ({ kinds }) => `must be an object whose "kind" is ${kindsText(kinds)}`,
    "shape.type": ({ expected }) => `must be ${SHAPE_TYPES[expected] ?? "something else"}`,
    "shape.one_of": ({ values, suggestion }) => `must be one of ${quotedList(values)}${didYouMean(suggestion)}`,
    "shape.literal": ({ value }) => `must be ${quoted(value)}`,
    "shape.wrong": () => "has the wrong form",
    "shape.missing": ({ wanted }) => `is missing; it ${inWords(wanted)}`,
    "shape.member_unknown": ({ name, members, suggestion }) => {
      const there = members.length === 0 ? "" : `; there ${members.length === 1 ? "is" : "are"} ${quotedList(members)}`;
      const out = name === "__proto__" ? "; leave it out" : didYouMean(suggestion) || there;
      return `there is no member ${quoted(name)} here${out}`;
    },
    "shape.name": ({ wanted }) => `the name ${inWords(wanted)}`,
    "shape.list": () => "must be a list",
    "shape.entries_most": ({ most }) => `must have at most ${most} entries`,
    "shape.entries_least": () => "must have at least one entry",
    "shape.string": () => "must be a string",
    "shape.text": () => "must be a text",
    "shape.text_empty": () => "must not be empty",
    "shape.control_character": () => "must have no control characters, such as a line break",
    "shape.text_long": ({ most }) => `must have at most ${most} characters`,
    "shape.texts": () => 'must be a text, or { "default": "en", "texts": { "en": "…" } }',
    "shape.language": () => "must be a language",
    "shape.language_tag": () => 'must be a language tag such as "en" or "nl-BE"',
    "shape.language_unknown": ({ language, suggestion }) =>
      `${quoted(language)} is not a language code; use one such as ${suggestion === null ? '"en" or "nl-BE"' : quoted(suggestion)}`,
    "shape.language_twice": () => "is listed twice; leave one out",
    "shape.language_lacking": ({ language }) => `must have a text in "${language}", which "default" names`,
    "shape.key": () => 'must be a lowercase letter followed by at most 99 lowercase letters, digits and "_"',
    "shape.reference": () => "must be the key of a definition",
    "shape.flag": () => "must be true or false",
    "shape.instant": () => "must be an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z",
    "shape.whole_number": ({ least, most }) => `must be a whole number from ${least} to ${most}`,
    "shape.number_wide": () => "must have at most 20 digits before the decimal point and 8 after it",
    "shape.number_positive": () => "must be a number above 0 with at most 20 digits before the decimal point and 8 after it",
    "shape.hours": ({ most }) => `must be a number of hours from 0 to ${most}`,
    "shape.percentage": () => "must be a number from 0 to 100 with at most two decimals",
    "shape.time_of_day": () => 'must be a time of day from "00:00" to "23:59", such as "17:30"',
    "shape.scalar": () => "must be a string, a number, true or false",
    "shape.currency": () => "must be a currency code",
    "shape.currency_code": () => 'must be three capital letters, such as "EUR"',
    "shape.images": () => "must be an object of images by slot",
    "shape.image": ({ longest }) =>
      `must be an absolute URL with http or https and at most ${longest} characters, or the id of an uploaded image`,
    "shape.image_id": () => "must be the id of an image",
    "shape.image_hash": () => "must be the SHA-256 of the bytes, in hexadecimal",
    "shape.image_bytes": () => "must be the bytes of the image as Base64",
    "shape.version": () => "must be 1, the only version of the file there is",

    "document.not_json": ({ reason, isFile }) => `${isFile ? "the file " : ""}is not JSON: ${reason}`,
    "document.bad_text": () => "has a NUL character or a lone surrogate; leave it out",
    "document.bad_name": () => "the name has a NUL character or a lone surrogate; leave it out",
    "document.too_deep": ({ most }) => `is nested more than ${most} levels deep; make it simpler`,
    "document.more_problems": ({ more }) => `${more} more ${more === 1 ? "problem is" : "problems are"} not listed`,
    "document.too_many_members": ({ most }) => `has more than ${most} members; no definition has as many`,

    "operator.does_not_fit": ({ operator, type, fitting }) => `${operator} does not fit a ${type}; use ${inOneLine(fitting, "or")}`,
    "value.list_wanted": ({ operator }) => `must be a list of at least one value for ${operator}`,
    "value.single_wanted": ({ operator, ofLists }) => `must be a single value for ${operator}; a list is for ${inOneLine(ofLists, "and")}`,
    "value.type_wanted": ({ type }) => `must be ${TYPE_NAMES[type]}, as the type is ${type}`,
    "measure.property_missing": ({ measure }) => `is missing; ${measure} needs the property of the event that it is taken of`,
    "measure.type_wanted": ({ measure, wanted, type }) =>
      `${measure} needs a property of type ${wanted.join(" or ")}, and this is a ${type}`,
    "property.unknown": ({ kind, key, property, suggestion }) =>
      `the ${nouns[kind]} ${quoted(key)} has no property ${quoted(property)}${didYouMean(suggestion)}`,
    "attribute.type_wanted": ({ key, wanted, type }) => `needs an attribute of type ${wanted}, and ${quoted(key)} is a ${type}`,
    "item.list_wanted": () => "must be a list, as the catalog item is a Collection",
    "item.single_wanted": ({ type }) => `must be a single value, as the catalog item is a ${type}`,
    "schedule.ends_before_start": () => "must be later than startsAt",
    "when.empty": () => 'must have at least one of "weekdays", "from" and "until"',
    "when.no_time": () => "must differ from the time from which it holds; leave both out for the whole day",
    "rule.too_large": ({ kind, key, limit, most }) =>
      `with the segments that it names written out, the rule of the ${nouns[kind]} ${quoted(key)} would ${limit === "parts" ? `have more than ${most} parts` : `be nested more than ${most} levels deep`}; make it simpler`,
    "rule.too_many_rollups": ({ source, most, rollups }) =>
      `${source} can be counted in at most ${most} different ways for conditions over history, and this would make it ${inFull(rollups)}; give several conditions the same filter and measure`,
    "segment.circle": ({ keys, more }) =>
      `a segment cannot contain itself: ${[...keys, ...(more > 0 ? [`… (${more} more)`] : []), keys[0]].join(" → ")}; take this reference out`,

    "mission.too_many_conditions": ({ most }) => `a mission can have at most ${most} conditions in all; make it simpler`,
    "mission.satisfied_at_once": ({ isSingle }) =>
      `would be satisfied as soon as a player enters, without any event or metric event; ${isSingle ? "ask for events, such as at least 1" : "change it so that only events can satisfy it"}`,
    "mission.only_limits": () =>
      "needs an objective that is not a limit: limits are satisfied from the start, so the mission would be completed immediately",
    "mission.repeats_at_once": () =>
      "AfterCompletion needs an objective over events or metrics that no player can satisfy by entering; otherwise the mission could complete again and again",
    "mission.objectives_fixed": ({ before: was, pointer }) => `${memberFixed("missions", "objectives")}; it has ${was} at ${pointer}`,
    "streak.source_missing": () => "needs what it counts: either an event or a metric",
    "streak.milestone_repeated": ({ length }) => `there is a milestone of length ${length} already; leave one of the two out`,
    "leaderboard.source_missing": ({ source, member }) => `is missing; the scoreSource ${source} needs the key of its ${member}`,
    "leaderboard.member_unwanted": ({ source }) => `cannot be used with the scoreSource ${source}; leave it out`,
    "leaderboard.score_not_number": ({ measure, type }) =>
      `a score is a number; ${measure} needs a property of type Number, and this is a ${type}`,
    "leaderboard.season_reached": ({ member, before: was }) =>
      `the ${member === "startsAt" ? "start" : "end"} of a season cannot change once it is reached; ${was === null ? "" : `leave it at ${was}, or `}define a new leaderboard under a new key`,
    "leaderboard.season_ended": ({ now }) =>
      `the end of a season cannot be moved into the past, since scores reached after it would count; it must be later than ${now}, the environment's time now`,
    "league.needs_periods": ({ period }) =>
      `needs periods that follow each other, and the period is ${period}; make it Calendar, or leave the league out`,
    "league.with_teams": () => "cannot be combined with teamAttribute: a league moves players between tiers; leave one of the two out",
    "league.group_too_small": ({ least }) => `must be at least ${least}, as many as are promoted and relegated`,
    "league.tier_repeated": ({ key }) => `the league has a tier ${quoted(key)} already; use another key`,
    "prize.ends_too_early": ({ least }) => `must be at least ${least}, the fromRank`,
    "prize.overlaps": ({ last }) => `must be above ${last}: prizes are in the order of ranks, and no rank has two`,
    "prize.too_many_rewards": ({ most }) => `must have at most ${most} rewards in all prizes together`,

    "money.base_fixed": ({ currency }) =>
      `the base currency cannot change any more, since amounts were added in ${currency}; leave it at ${quoted(currency)}`,
    "money.base_kept": () => "a base currency cannot be taken away again; choose another one",
    "money.base_missing": ({ for: what }) =>
      what === "metric" ? `a metric of kind Currency needs a base currency, ${NO_BASE}` : `a rate is to the base currency, ${NO_BASE}`,
    "money.rates_left": ({ codes, currency }) =>
      `the rates of ${quotedList(codes)} are to ${currency}; delete them first and add them again, or in a file put each into "exchangeRates" again or leave it out with --prune`,
    "money.rate_of_base": ({ currency }) => `${currency} is the base currency, which needs no rate; leave it out`,
    "image.unknown": ({ id }) =>
      `there is no image ${quoted(id)} in this project; upload it, or export the file with its images (--images)`,
    "image.too_large": ({ mebibytes }) =>
      mebibytes === null ? "must have at most 1 MiB when it is made safe" : `must have at most 1 MiB; this has ${mebibytes} MiB`,
    "image.none": () => "must be a complete PNG, JPEG, WebP or SVG image",
    "image.wrong_size": ({ longest, width, height }) => `must have 1 to ${longest} pixels on each side; this has ${width} × ${height}`,
    "image.too_complicated": () => "is too complicated a drawing: simplify it, or save it as a PNG",
    "image.broken": () => "cannot be made safe: it is broken, or no drawing at all; save it again with a drawing program",
    "image.unsafe": () =>
      "has parts that a drawing must not have here, such as scripts; upload it in the dashboard, and use the id that it gets there",
    "image.no_room": ({ mebibytes, most }) =>
      `would bring this project's images to ${mebibytes} MiB, and at most ${most} MiB are kept; use an image that is uploaded already, make this one smaller, or host it elsewhere and give its URL`,

    "environment.too_much": ({ most, mostMegabytes, definitions, megabytes }) =>
      `an environment has at most ${inFull(most)} definitions of all kinds together and ${mostMegabytes} MB of them, and this would make it ${inFull(definitions)}${megabytes === 0 ? "" : ` and ${megabytes} MB`}; delete some that are not used any more`,
    "definition.reference_unknown": ({ kind, key, suggestion }) => `there is no ${nouns[kind]} ${quoted(key)}${didYouMean(suggestion)}`,
    "definition.repeated": ({ kind, key, pointer, hasKey }) =>
      `the ${nouns[kind]} ${quoted(key)} is in the list already, at ${pointer}; ${hasKey ? "use another key" : "leave one of the two out"}`,
    "definition.member_repeated": ({ kind, key, pointer }) =>
      `the collection has the ${nouns[kind]} ${quoted(key)} already, at ${pointer}; leave one of the two out`,
    "definition.taken": ({ kind, key, isOff, hasKey }) =>
      `there is already ${articled(nouns[kind])} ${quoted(key)}${isOff ? ", which is switched off" : ""}; ${hasKey ? "choose another key" : "change that one"}`,
    "definition.not_there": ({ kind, key }) =>
      `there is no ${nouns[kind]} ${quoted(key)} here to change; it was deleted meanwhile, or its key was changed, which is not possible`,
    "definition.deleted": ({ kind, key }) => `there is no ${nouns[kind]} ${quoted(key)} any more; it was deleted meanwhile`,
    "definition.changed_meanwhile": ({ by }) =>
      `was changed by ${by ?? "someone else"} since you opened it; reload it to see the change, or save over it`,
    "definition.one_environment": ({ kind }) =>
      `${articled(nouns[kind])} is saved in one environment at a time; save it here alone, then take it to the other environment by Promote`,
    "definition.switched_off": ({ kind, key, user }) =>
      `the ${nouns[kind]} ${quoted(key)} is switched off; switch it on, or switch this ${nouns[user]} off`,
    "definition.still_used": ({ kind, key, users, isLeftOut }) => {
      const thing = `the ${nouns[kind]} ${quoted(key)}`;
      return isLeftOut
        ? `leaving ${thing} out would switch it off while ${namesOf(users)} ${verb(users)} it; put it into the list, or switch ${them(users)} off`
        : `${thing} cannot be switched off while ${namesOf(users)} ${verb(users)} it; switch ${them(users)} off first`;
    },
    "definition.fixed": ({ kind, member, before: was }) => `${memberFixed(kind, member)}${before(was)}`,
    "definition.key_fixed": ({ kind, hasKey }) =>
      hasKey
        ? `a key cannot change; define a new ${nouns[kind]} under a new key`
        : `${articled(nouns[kind])} is known by this; delete it and add another one`,
    "definition.start_reached": ({ kind, member, before: was }) => {
      const what = member === null ? "" : ` of ${member === "window" ? "a window" : quoted(member)}`;
      const stay = was === null ? "" : `leave it at ${was}, or `;
      return `the start${what} cannot change once it is reached; ${stay}define a new ${nouns[kind]} under a new key`;
    },
    "definition.named": ({ kind, key, users, more }) => {
      const names = users.map((user) => `the ${nouns[user.kind]} ${quoted(user.key)}`).join(", ");
      return `the ${nouns[kind]} ${quoted(key)} is used by ${names}${more > 0 ? ` and ${more} more` : ""}; take it out there first`;
    },
    "definition.touched": ({ kind, key }) =>
      `the ${nouns[kind]} ${quoted(key)} cannot be deleted, since ${TOUCHES[kind] ?? "players have met it"}; switch it off instead`,
    "definition.too_much_data": ({ kind, key }) =>
      `there is too much data here to see in time whether a player ever met the ${nouns[kind]} ${quoted(key)}; switch it off instead`,
    "property.repeated": ({ kind, key }) => `the ${nouns[kind]} has a property ${quoted(key)} already; use another key`,
    "property.type_fixed": ({ key, before: was }) =>
      was === null
        ? `the type of the property ${quoted(key)} cannot change; add a property under a new key`
        : `the type of a property cannot change; add a property under a new key; ${quoted(key)} is a ${was}`,
    "property.still_read": ({ property, users }) =>
      `the property ${quoted(property)} cannot be removed while ${namesOf(users)} ${verb(users)} it`,
  };
  return words;
}

const FILE_WORDS = findingWords(NOUNS);

export const fileSentence = (one: Mistake): string => wordsFor(FILE_WORDS, one);
