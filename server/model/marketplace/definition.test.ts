import { describe, expect, it, test } from "vitest";
import { parseJson } from "../kernel/json.ts";
import { ATTRIBUTES, DefinitionsInMemory, EVENTS, ITEMS, fileOf, problemsOf } from "../definitions/testing/in-memory.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const coffee = (value: unknown = 1) => ({ catalogItem: "coffee", value });
const listing = (more: object = {}) => ({ key: "voucher", name: "Voucher", priceInPoints: 100, contents: [coffee()], ...more });
const shop = (listings: object[], more: object = {}) =>
  fileOf({ events: EVENTS, attributes: ATTRIBUTES, catalogItems: ITEMS, marketplaceItems: listings, ...more });
const withListing = (more: object = {}) => shop([listing(more)]);

describe("a marketplace item", () => {
  it("has its defaults written out, members in the order of the specification", () => {
    const { marketplaceItems, marketplaceCollections } = DefinitionsInMemory.after(
      shop([listing()], { marketplaceCollections: [{ key: "winter", name: "Winter", items: ["voucher"] }] }),
    ).export();
    expect(JSON.stringify(marketplaceItems)).toBe(
      JSON.stringify([
        {
          key: "voucher",
          name: { default: "en", texts: { en: "Voucher" } },
          active: true,
          description: null,
          images: {},
          priceInPoints: 100,
          contents: [{ catalogItem: "coffee", value: 1 }],
          audience: { rule: null, otherwise: "Locked" },
          appearsIn: "Shop",
          onSale: { startsAt: null, endsAt: null },
          stock: null,
          limitPerPlayer: null,
          recurrence: { kind: "None" },
        },
      ]),
    );
    expect(JSON.stringify(marketplaceCollections)).toBe(
      JSON.stringify([
        {
          key: "winter",
          name: { default: "en", texts: { en: "Winter" } },
          active: true,
          description: null,
          images: {},
          items: ["voucher"],
        },
      ]),
    );
  });

  it("is compiled with its references, in the order of creation; a collection in its own order", () => {
    const definitions = DefinitionsInMemory.after(
      shop(
        [
          listing({ key: "b", contents: [coffee(parseJson("12345678901234567890.5")), { catalogItem: "colours", value: ["red"] }] }),
          listing({ key: "a" }),
        ],
        {
          marketplaceCollections: [{ key: "winter", name: "Winter", items: ["a", "b"] }],
        },
      ),
    ).compile();
    expect(definitions.listings.map(({ key }) => key)).toEqual(["b", "a"]);
    expect(JSON.stringify(definitions.listingsByKey.get("b")?.contents)).toBe(
      '[{"catalogItemKey":"coffee","valueType":"Number","value":12345678901234567890.5},{"catalogItemKey":"colours","valueType":"Collection","value":["red"]}]',
    );
    expect(definitions.marketplaceCollectionsByKey.get("winter")?.items).toEqual([
      definitions.listingsByKey.get("a"),
      definitions.listingsByKey.get("b"),
    ]);
  });

  it("compares in one canonical form, however it is written", () => {
    const before = {
      contents: [{ catalogItem: "valid_until", value: "2026-01-01T00:00:00Z" }],
      audience: { rule: { attribute: "joined_at", operator: "LessThan", value: "2026-01-01T00:00:00Z" } },
      onSale: { endsAt: "2027-01-01T00:00:00Z" },
    };
    const after = {
      contents: [{ catalogItem: "valid_until", value: "2026-01-01T02:00:00.000+02:00" }],
      audience: { otherwise: "Locked", rule: { attribute: "joined_at", operator: "LessThan", value: "2026-01-01T01:00:00+01:00" } },
      onSale: { startsAt: null, endsAt: "2027-01-01T01:00:00+01:00" },
    };
    expect(DefinitionsInMemory.after(withListing(before)).changes(withListing(after))).toEqual([]);
  });

  it("keeps a rollup for an audience over history, and drops it with that audience", () => {
    const definitions = DefinitionsInMemory.after(
      withListing({ audience: { rule: { event: "order_placed", operator: "GreaterThan", value: 3, lastDays: 30 } } }),
    );
    expect(definitions.compile().rollupsByEvent.size).toBe(1);
    definitions.changes(withListing({ audience: { rule: null } }));
    expect(definitions.compile().rollupsByEvent.size).toBe(0);
  });
});

describe("a marketplace item is refused", () => {
  const WHOLE = "must be a whole number from";
  test.each<[what: string, more: object, problem: string]>([
    ["without a price", { priceInPoints: undefined }, `/marketplaceItems/0/priceInPoints: is missing; it ${WHOLE} 0 to 9007199254740991`],
    ["at a negative price", { priceInPoints: -1 }, `/marketplaceItems/0/priceInPoints: ${WHOLE} 0 to 9007199254740991`],
    ["at a broken price", { priceInPoints: 1.5 }, `/marketplaceItems/0/priceInPoints: ${WHOLE} 0 to 9007199254740991`],
    ["without contents", { contents: [] }, "/marketplaceItems/0/contents: must have at least one entry"],
    ["with a negative stock", { stock: -1 }, `/marketplaceItems/0/stock: ${WHOLE} 0 to 2147483647`],
    ["with a limit of none", { limitPerPlayer: 0 }, `/marketplaceItems/0/limitPerPlayer: ${WHOLE} 1 to 2147483647`],
    [
      "with rounds that follow completions",
      { recurrence: { kind: "AfterCompletion" } },
      '/marketplaceItems/0/recurrence/kind: must be one of "None", "Calendar"',
    ],
    ["in the feed", { appearsIn: "Feed" }, '/marketplaceItems/0/appearsIn: must be one of "Shop", "CollectionOnly"'],
    [
      "with a sale that ends before it starts",
      { onSale: { startsAt: "2026-01-02T00:00:00Z", endsAt: "2026-01-01T00:00:00Z" } },
      "/marketplaceItems/0/onSale/endsAt: must be later than startsAt",
    ],
    [
      "with a misspelt member",
      { prise: 1 },
      '/marketplaceItems/0/prise: there is no member "prise" here; there are "key", "name", "active", "description", "images", "priceInPoints", "contents", "audience", "appearsIn", "onSale", "stock", "limitPerPlayer", "recurrence"',
    ],
    [
      "with an item that there is not",
      { contents: [coffee(), { catalogItem: "coffe", value: 1 }] },
      '/marketplaceItems/0/contents/1/catalogItem: there is no catalog item "coffe"; did you mean "coffee"?',
    ],
    [
      "with a value of another type",
      { contents: [coffee("one")] },
      "/marketplaceItems/0/contents/0/value: must be a number, as the type is Number",
    ],
    [
      "with a list of something other than a collection",
      { contents: [coffee([1])] },
      "/marketplaceItems/0/contents/0/value: must be a single value, as the catalog item is a Number",
    ],
    [
      "with a single value of a collection",
      { contents: [{ catalogItem: "colours", value: "red" }] },
      "/marketplaceItems/0/contents/0/value: must be a list, as the catalog item is a Collection",
    ],
    [
      "for players of whom nothing can be known",
      { audience: { rule: { any: [{ attribute: "teir", operator: "EqualTo", value: "gold" }] } } },
      '/marketplaceItems/0/audience/rule/any/0/attribute: there is no attribute "teir"; did you mean "tier"?',
    ],
  ])("%s", (_, more, problem) => expect(problemsOf(withListing(more))).toEqual([problem]));

  it("twice in a list, as is a collection with unknown or repeated members", () => {
    const collection = { key: "winter", name: "Winter", items: ["voucher", "vouchr", "voucher"] };
    expect(problemsOf(shop([listing(), listing()], { marketplaceCollections: [collection] }))).toEqual([
      '/marketplaceItems/1/key: the marketplace item "voucher" is in the list already, at /marketplaceItems/0; use another key',
      '/marketplaceCollections/0/items/1: there is no marketplace item "vouchr"; did you mean "voucher"?',
      '/marketplaceCollections/0/items/2: the collection has the marketplace item "voucher" already, at /marketplaceCollections/0/items/0; leave one of the two out',
    ]);
  });

  it("with a rule that is too large once its segments are written out", () => {
    const doubling = (at: number) => ({
      key: `s${at}`,
      name: "S",
      rule: at === 0 ? GOLD : { all: [{ segment: `s${at - 1}` }, { segment: `s${at - 1}` }] },
    });
    const problems = problemsOf(
      shop([listing({ audience: { rule: { all: [{ segment: "s10" }, { segment: "s10" }] } } })], {
        segments: Array.from({ length: 11 }, (_, at) => doubling(at)),
      }),
    );
    expect(problems).toEqual([
      '/marketplaceItems/0/audience/rule: with the segments that it names written out, the rule of the marketplace item "voucher" would have more than 5000 parts; make it simpler',
    ]);
  });
});

describe("immutable members", () => {
  const STARTED = { onSale: { startsAt: "2026-05-31T00:00:00Z" } };
  test.each<[what: string, before: object, after: object, problem: string]>([
    [
      "the recurrence",
      { recurrence: { kind: "Calendar", every: "Month" } },
      { recurrence: { kind: "Calendar", every: "Week" } },
      '/marketplaceItems/0/recurrence: the recurrence of a marketplace item cannot change; define a new one under a new key; it is {"kind":"Calendar","every":"Month"}',
    ],
    [
      "the start of a sale that is reached",
      STARTED,
      { onSale: { startsAt: "2026-06-10T00:00:00Z" } },
      '/marketplaceItems/0/onSale/startsAt: the start of "onSale" cannot change once it is reached; leave it at 2026-05-31T00:00:00.000Z, or define a new marketplace item under a new key',
    ],
    [
      "the start of a sale that is reached, taken away",
      STARTED,
      {},
      '/marketplaceItems/0/onSale/startsAt: the start of "onSale" cannot change once it is reached; leave it at 2026-05-31T00:00:00.000Z, or define a new marketplace item under a new key',
    ],
  ])("%s", (_, before, after, problem) =>
    expect(DefinitionsInMemory.after(withListing(before)).problems(withListing(after), { now: NOW })).toEqual([problem]),
  );

  test.each<[what: string, before: object, after: object, changed: string[]]>([
    [
      "price, contents, stock, limit and audience",
      {},
      { priceInPoints: 0, contents: [coffee(2)], stock: 0, limitPerPlayer: 1, audience: { rule: GOLD } },
      ["priceInPoints", "contents", "audience", "stock", "limitPerPlayer"],
    ],
    [
      "a start that is yet to come",
      { onSale: { startsAt: "2026-06-02T00:00:00Z" } },
      { onSale: { startsAt: "2026-06-03T00:00:00Z" } },
      ["onSale"],
    ],
    ["the end of a sale", STARTED, { onSale: { ...STARTED.onSale, endsAt: "2026-06-03T00:00:00Z" } }, ["onSale"]],
  ])("but not %s", (_, before, after, changed) =>
    expect(DefinitionsInMemory.after(withListing(before)).changes(withListing(after), { now: NOW })).toEqual([
      `~ marketplaceItems voucher ${changed.join(" ")}`,
    ]),
  );
});

describe("definitions that an active marketplace item uses", () => {
  const used = shop([listing({ audience: { rule: { segment: "vip" } } })], { segments: [{ key: "vip", name: "VIP", rule: GOLD }] });
  const off = (list: string, one: object) => fileOf({ [list]: [{ ...one, active: false }] });

  it("cannot be switched off: its catalog items, and the segments of its audience", () => {
    const definitions = DefinitionsInMemory.after(used);
    expect(definitions.problems(off("catalogItems", ITEMS[0]!))).toEqual([
      '/catalogItems/0/active: the catalog item "coffee" cannot be switched off while the marketplace item "voucher" uses it; switch that off first',
    ]);
    expect(definitions.problems(off("segments", { key: "vip", name: "VIP", rule: GOLD }))).toEqual([
      '/segments/0/active: the segment "vip" cannot be switched off while the marketplace item "voucher" uses it; switch that off first',
    ]);
    definitions.changes(withListing({ active: false, audience: { rule: { segment: "vip" } } }));
    expect(definitions.changes(off("catalogItems", ITEMS[0]!))).toEqual(["~ catalogItems coffee active"]);
  });

  it("a marketplace item can be switched off while a collection lists it", () => {
    const definitions = DefinitionsInMemory.after(
      shop([listing()], { marketplaceCollections: [{ key: "winter", name: "Winter", items: ["voucher"] }] }),
    );
    expect(definitions.changes(withListing({ active: false }))).toEqual(["~ marketplaceItems voucher active"]);
  });

  it("a prune switches off marketplace items and collections that their lists leave out", () => {
    const definitions = DefinitionsInMemory.after(
      shop([listing()], { marketplaceCollections: [{ key: "winter", name: "Winter", items: ["voucher"] }] }),
    );
    expect(definitions.changes(fileOf({ marketplaceItems: [], marketplaceCollections: [] }), { prune: true })).toEqual([
      "- marketplaceItems voucher",
      "- marketplaceCollections winter",
    ]);
  });
});
