import { describe, expect, it } from "vitest";
import example from "#server/model/definitions/example.json" with { type: "json" };
import { type Kind, KINDS, SHAPES } from "#server/model/definitions/contract.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { copyOf, definitionOf, documentOf, draftOf, nextKey } from "./draft.ts";
import { keyFrom, languagesOf } from "./text.ts";

const definitionsOf = (kind: Kind): object[] => ((example as Record<string, unknown>)[kind] as object[] | undefined) ?? [];

describe("a draft", () => {
  it.each(KINDS)("the draft of %s gives its document again", (kind) => {
    for (const definition of definitionsOf(kind)) {
      const shape = SHAPES[kind];
      const draft = draftOf(writeJson(definition), "en");
      const [before, after] = [shape.parse(definition), shape.parse(definitionOf(draft))];
      // A plain string is equal to a text with the same words in the project's language.
      expect(writeJson(after).replaceAll('"en"', '""')).toBe(writeJson(before).replaceAll('"en"', '""'));
    }
  });

  it("keeps every digit of a number", () => {
    const document = '{"target":12345678901234567890.12345678}';
    expect(documentOf(draftOf(document, "en"))).toBe(document);
  });

  it("leaves out languages without words, and a description without any", () => {
    const draft = { name: { default: "en", texts: { en: "Coffee", nl: " " } }, description: { default: "en", texts: { en: "" } } };
    expect(definitionOf(draft)).toEqual({ name: { default: "en", texts: { en: "Coffee" } }, description: null });
  });

  it("leaves an attribute called name alone if it is no text", () => {
    expect(draftOf('{"value":"name"}', "en")).toEqual({ value: "name" });
  });
});

describe("a key", () => {
  it.each([
    ["Coffee lover", "coffee_lover"],
    ["  Crème brûlée! ", "creme_brulee"],
    ["5 orders", "orders"],
    ["Große Tasse", "grosse_tasse"],
    ["咖啡", ""],
    ["a".repeat(200), "a".repeat(100)],
  ])("of %j is %j", (name, key) => expect(keyFrom(name)).toBe(key));

  it("of a copy is the next that is free", () => {
    const taken = new Set(["cup", "cup_2", "cup_9"]);
    expect(nextKey("cup", (key) => taken.has(key))).toBe("cup_3");
    expect(nextKey("cup_9", (key) => taken.has(key))).toBe("cup_10");
    expect(copyOf({ key: "cup", active: false }, "cup_3")).toEqual({ key: "cup_3", active: true });
  });
});

describe("the languages of a text", () => {
  const text = { default: "en", texts: { en: "Coffee", fr: "Café", nl: "" } };

  it("are in one order: its default, the project's, the others", () => {
    expect(languagesOf(text, ["NL", "en"])).toEqual(["en", "nl", "fr"]);
  });
});
