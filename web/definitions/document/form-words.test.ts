import { expect, it } from "vitest";
import { fileSentence } from "#server/model/rules/file-words.ts";
import { type Mistake, mistake } from "#server/model/rules/finding.ts";
import { formWords, namesItself, wordsOf } from "./form-words.ts";

it.each<[mistake: Mistake, form: string, file: string]>([
  [
    mistake("shape.key"),
    "use lowercase letters, digits and _ only, with a letter first, such as order_placed; at most 100 characters",
    'must be a lowercase letter followed by at most 99 lowercase letters, digits and "_"',
  ],
  [mistake("schedule.ends_before_start"), "must be later than the start", "must be later than startsAt"],
  [
    mistake("shape.whole_number", { least: 1, most: 2_147_483_647 }),
    "must be a whole number of at least 1",
    "must be a whole number from 1 to 2147483647",
  ],
  [
    mistake("shape.whole_number", { least: 1, most: 1_000_000 }),
    "must be a whole number from 1 to 1,000,000",
    "must be a whole number from 1 to 1000000",
  ],
  [
    mistake("league.group_too_small", { least: 6 }),
    "must be at least 6, as many as move up and down together",
    "must be at least 6, as many as are promoted and relegated",
  ],
  [
    mistake("definition.fixed", { kind: "catalogItems", member: "valueType", before: '"String"' }),
    "the type of value of a catalog item cannot change; define a new one under a new key; there it is text",
    'the valueType of a catalog item cannot change; define a new one under a new key; it is "String"',
  ],
  [
    mistake("definition.fixed", { kind: "missions", member: "optIn", before: '"Manual"' }),
    "the entry of a mission cannot change; define a new one under a new key and switch this one off",
    'the optIn of a mission cannot change; define a new one under a new key and switch this one off; it is "Manual"',
  ],
  [
    mistake("mission.objectives_fixed", { before: '"tea"', pointer: "/missions/0/objectives/0/event" }),
    "the objectives of a mission cannot change; define a new one under a new key and switch this one off",
    'the objectives of a mission cannot change; define a new one under a new key and switch this one off; it has "tea" at /missions/0/objectives/0/event',
  ],
  [
    mistake("definition.key_fixed", { kind: "marketplaceCollections", hasKey: true }),
    "a key cannot change; define a new listing collection under a new key",
    "a key cannot change; define a new marketplace collection under a new key",
  ],
  [
    mistake("definition.reference_unknown", { kind: "events", key: "order_placd", suggestion: "order_placed" }),
    'there is no event "order_placd"; did you mean "order_placed"?',
    'there is no event "order_placd"; did you mean "order_placed"?',
  ],
  [
    mistake("value.type_wanted", { type: "DateTime" }),
    "choose a date and time",
    "must be an RFC 3339 timestamp with an offset or Z, as the type is DateTime",
  ],
  [
    mistake("money.rates_left", { codes: ["JPY", "GBP"], currency: "USD" }),
    "the rates of JPY, GBP are to USD; delete them first and add them again",
    'the rates of "JPY", "GBP" are to USD; delete them first and add them again, or in a file put each into "exchangeRates" again or leave it out with --prune',
  ],
  [mistake("value.type_wanted", { type: "Number" }), "must be a number", "must be a number, as the type is Number"],
  [
    mistake("definition.repeated", { kind: "missions", key: "m", pointer: "/missions/0", hasKey: false }),
    'the mission "m" is in the list already; change or remove one',
    'the mission "m" is in the list already, at /missions/0; leave one of the two out',
  ],
])("%j", (one, form, file) => {
  expect(formWords(one)).toBe(form);
  expect(fileSentence(one)).toBe(file);
});

it("a code that a page does not know has the service's own sentence", () => {
  expect(wordsOf({ code: "future.code", params: {}, message: "the moon is full" })).toBe("the moon is full");
});

it("messages about immutable members name them", () => {
  expect(namesItself({ code: "definition.fixed" })).toBe(true);
  expect(namesItself({ code: "shape.key" })).toBe(false);
});
