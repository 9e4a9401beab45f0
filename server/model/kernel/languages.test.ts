import { expect, test } from "vitest";
import { canonicalLanguage, findLanguages, languageNamed, languages } from "./languages.ts";

test.each([
  ["en", "en"],
  ["NL-be", "nl-BE"],
  ["zh-hant-tw", "zh-Hant-TW"],
  ["en-UK", "en-GB"],
  ["iw", "he"],
  ["tlh", "tlh"],
  ["nl-x-shop", "nl-x-shop"],
  ["de-1996", "de-1996"],
  ["german", null],
  ["Deutsch", null],
  ["jp", null],
  ["en-XX", null],
  ["und", null],
  ["zxx", null],
  ["english!", null],
  ["en_US", null],
  ["toolonglanguage", null],
  ["", null],
  [`en-x-${"a".repeat(200)}`, null],
])("the language tag %j is %j", (tag, canonical) => {
  expect(canonicalLanguage(tag)).toBe(canonical);
});

test("a tag has the same result after thousands of other tags", () => {
  for (let n = 0; n < 2_500; n++) canonicalLanguage(`en-x-${n}`);
  expect([canonicalLanguage("NL-be"), canonicalLanguage("german")]).toEqual(["nl-BE", null]);
});

test.each([
  ["german", "de"],
  ["Deutsch", "de"],
  ["DUTCH", "nl"],
  ["francais", "fr"],
  ["Türkçe", "tr"],
  ["Traditional Chinese", "zh-Hant"],
  ["de", null],
  ["Elvish", null],
  ["", null],
])("the name %j is that of %j", (word, tag) => {
  expect(languageNamed(word)).toBe(tag);
});

test.each([
  ["de", "de"],
  ["german", "de"],
  ["Deutsch", "de"],
  ["Français", "fr"],
  ["fran", "fr"],
  ["brazil", "pt-BR"],
  ["nl-SR", "nl-SR"],
  ["tlh", "tlh"],
])("a search for %j offers %j first", (search, tag) => {
  expect(findLanguages(search)[0]?.tag).toBe(tag);
});

test("the list has every language once, under the tag that is stored", () => {
  const tags = languages().map(({ tag }) => tag);
  expect(tags.length).toBeGreaterThan(180);
  expect(new Set(tags).size).toBe(tags.length);
  expect(tags.map(canonicalLanguage)).toEqual(tags);
  expect(findLanguages("no such language")).toEqual([]);
});
