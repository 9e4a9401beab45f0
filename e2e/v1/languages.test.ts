import { describe, expect, test } from "vitest";
import { atLeast, mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const texts = (texts: Record<string, string>, other = "en") => ({ default: other, texts });
const lover = mission("coffee_lover", {
  name: texts({ en: "Coffee lover", nl: "Koffieliefhebber", "pt-BR": "Amante de café", "zh-Hant": "咖啡愛好者" }),
  description: texts({ fr: "Buvez !", nl: "Drink!" }, "fr"),
  objectives: [atLeast(3, { description: texts({ en: "Three orders", nl: "Drie bestellingen" }) })],
});
const backend = await service.sandbox(shop(lover, mission("plain", { name: "Plain" })));
const read = async (languageCode?: unknown) => {
  const { name, description, objectives } = await backend.mission("ann", "coffee_lover", { languageCode });
  return [name, description, objectives[0].description];
};

describe("a text is in the requested language", () => {
  test.each([
    ["nl", ["Koffieliefhebber", "Drink!", "Drie bestellingen"]],
    ["nl-BE", ["Koffieliefhebber", "Drink!", "Drie bestellingen"]],
    ["NL-be", ["Koffieliefhebber", "Drink!", "Drie bestellingen"]],
    ["nl-Latn-BE-x-shop", ["Koffieliefhebber", "Drink!", "Drie bestellingen"]],
    ["fr", ["Coffee lover", "Buvez !", "Three orders"]],
    ["pt-BR", ["Amante de café", "Buvez !", "Three orders"]],
    ["pt-br", ["Amante de café", "Buvez !", "Three orders"]],
    ["zh-Hant-TW", ["咖啡愛好者", "Buvez !", "Three orders"]],
  ])("%s", async (language, expected) => {
    expect(await read(language)).toEqual(expected);
  });

  test.each([
    undefined,
    null,
    "",
    "  ",
    "pt",
    "pt-PT",
    "nlx",
    "n",
    "de-DE",
    "-",
    "nl_BE",
    "constructor",
    "__proto__",
    "toString",
    "😀",
    "default",
  ])("else in each text's own default: %j", async (language) => {
    expect(await read(language)).toEqual(["Coffee lover", "Buvez !", "Three orders"]);
  });

  test("a plain text is in the project's default language, which two projects need not share", async () => {
    const dutch = await service.sandbox(
      shop(mission("plain", { name: "Koffie" }), mission("both", { name: texts({ en: "Both", nl: "Beide" }, "nl") })),
      { defaultLanguage: "nl" },
    );
    const names = async (languageCode?: string) => (await dutch.missions("ann", { languageCode })).map(({ name }) => name);
    expect([await names(), await names("nl-BE"), await names("en")]).toEqual([
      ["Koffie", "Beide"],
      ["Koffie", "Beide"],
      ["Koffie", "Both"],
    ]);
  });

  test("an edited text is shown immediately, also for completed missions", async () => {
    const own = await service.sandbox(shop(mission("one", { name: "Before" })));
    await own.missions("ann");
    await own.play({ playerId: "ann" });
    await own.define(shop(mission("one", { name: "After" })));
    expect((await own.mission("ann", "one", { includeCompleted: true })).name).toBe("After");
  });
});
