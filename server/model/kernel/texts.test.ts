import { describe, expect, test } from "vitest";
import { pickText } from "./texts.ts";

const hello = { default: "en", texts: { en: "Hello", he: "שלום", nl: "Hallo", "zh-Hant": "你好嗎", "pt-BR": "Oi" } };

describe("a text is returned in the requested language, else the nearest, else its default", () => {
  test.each([
    ["nl", "Hallo"],
    ["nl-BE", "Hallo"],
    ["NL-be", "Hallo"],
    ["zh-Hant-TW", "你好嗎"],
    ["zh", "Hello"],
    ["PT-br", "Oi"],
    ["pt", "Hello"],
    ["fr", "Hello"],
    ["iw-IL", "שלום"],
    ["Dutch", "Hello"],
    ["nl-", "Hallo"],
    ["-nl", "Hello"],
    ["--", "Hello"],
    ["", "Hello"],
    [null, "Hello"],
    ["__proto__", "Hello"],
    ["constructor", "Hello"],
    ["toString", "Hello"],
  ])("%s", (language, expected) => {
    expect(pickText(hello, language)).toBe(expected);
  });
});

test("the default language is matched regardless of case", () => {
  expect(pickText({ default: "EN-us", texts: { "en-US": "Color" } }, "fr")).toBe("Color");
});
