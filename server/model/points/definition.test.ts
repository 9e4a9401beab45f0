import { describe, expect, it, test } from "vitest";
import { parseJson } from "../kernel/json.ts";
import { DefinitionsInMemory, fileOf, problemsOf } from "../definitions/testing/in-memory.ts";

const SPEND = { key: "spend", name: "Spend", kind: "Currency" };
const money = (more: object = {}) => fileOf({ baseCurrency: "EUR", metrics: [SPEND], ...more });
const rates = (...list: object[]) => money({ exchangeRates: list });
const usd = (rate: unknown = 0.92) => ({ currencyCode: "USD", rate });
const NONE_YET = 'and this environment has none yet; choose it in the settings, or set "baseCurrency" in the file';
const NUMBER = "must be a number above 0 with at most 20 digits before the decimal point and 8 after it";

describe("metrics", () => {
  it("have their defaults written out, members in the order of the specification", () => {
    const { metrics } = DefinitionsInMemory.after(
      fileOf({ metrics: [{ key: "steps", name: "Steps", kind: "Number", properties: [{ key: "device", type: "String" }] }] }),
    ).export();
    expect(JSON.stringify(metrics)).toBe(
      JSON.stringify([
        {
          key: "steps",
          name: { default: "en", texts: { en: "Steps" } },
          active: true,
          kind: "Number",
          properties: [{ key: "device", type: "String", required: false }],
        },
      ]),
    );
  });

  test.each<[what: string, document: unknown, problems: string[]]>([
    ["of no kind", fileOf({ metrics: [{ key: "m", name: "M" }] }), ['/metrics/0/kind: is missing; it must be one of "Number", "Currency"']],
    [
      "of another kind",
      fileOf({ metrics: [{ key: "m", name: "M", kind: "Numbr" }] }),
      ['/metrics/0/kind: must be one of "Number", "Currency"; did you mean "Number"?'],
    ],
    [
      "of money without a base currency",
      fileOf({ metrics: [SPEND] }),
      [`/metrics/0/kind: a metric of kind Currency needs a base currency, ${NONE_YET}`],
    ],
    [
      "with a property twice",
      money({ metrics: [{ ...SPEND, properties: ["String", "Number"].map((type) => ({ key: "p", type })) }] }),
      ['/metrics/0/properties/1/key: the metric has a property "p" already; use another key'],
    ],
    [
      "twice",
      money({ metrics: [SPEND, SPEND] }),
      ['/metrics/1/key: the metric "spend" is in the list already, at /metrics/0; use another key'],
    ],
  ])("%s are refused", (_, document, problems) => expect(problemsOf(document)).toEqual(problems));

  it("keep their kind and the types of their properties", () => {
    const definitions = DefinitionsInMemory.after(money({ metrics: [{ ...SPEND, properties: [{ key: "tip", type: "Number" }] }] }));
    expect(definitions.problems(fileOf({ metrics: [{ ...SPEND, kind: "Number", properties: [{ key: "tip", type: "String" }] }] }))).toEqual(
      [
        '/metrics/0/kind: the kind of a metric cannot change; define a new one under a new key; it is "Currency"',
        '/metrics/0/properties/0/type: the type of a property cannot change; add a property under a new key; "tip" is a Number',
      ],
    );
    expect(definitions.changes(fileOf({ metrics: [{ ...SPEND, properties: [{ key: "shop", type: "String" }] }] }))).toEqual([
      "~ metrics spend properties",
    ]);
  });
});

describe("exchange rates", () => {
  test.each<[what: string, document: unknown, problems: string[]]>([
    ["of 0", rates(usd(0)), [`/exchangeRates/0/rate: ${NUMBER}`]],
    ["of nine decimals", rates(usd(parseJson("0.123456789"))), [`/exchangeRates/0/rate: ${NUMBER}`]],
    [
      "in small letters",
      rates({ currencyCode: "usd", rate: 1 }),
      ['/exchangeRates/0/currencyCode: must be three capital letters, such as "EUR"'],
    ],
    [
      "with a key",
      rates({ ...usd(), key: "usd" }),
      ['/exchangeRates/0/key: there is no member "key" here; there are "currencyCode", "rate"'],
    ],
    [
      "twice",
      rates(usd(), usd(1)),
      ['/exchangeRates/1/currencyCode: the exchange rate "USD" is in the list already, at /exchangeRates/0; leave one of the two out'],
    ],
    [
      "of the base currency",
      rates({ currencyCode: "EUR", rate: 1 }),
      ["/exchangeRates/0/currencyCode: EUR is the base currency, which needs no rate; leave it out"],
    ],
    ["to nothing", fileOf({ exchangeRates: [usd()] }), [`/exchangeRates/0: a rate is to the base currency, ${NONE_YET}`]],
  ])("%s are refused", (_, document, problems) => expect(problemsOf(document)).toEqual(problems));

  it("are identified by their currency, switched off by --prune, and switched on when imported again", () => {
    const definitions = DefinitionsInMemory.after(rates(usd(), { currencyCode: "GBP", rate: parseJson("1.1700") }));
    const exported = () => definitions.export().exchangeRates;
    expect(JSON.stringify(exported())).toBe('[{"currencyCode":"USD","rate":0.92},{"currencyCode":"GBP","rate":1.17}]');
    expect(definitions.changes(fileOf({ exchangeRates: [usd(parseJson("9.2e-1"))] }))).toEqual([]);
    expect(definitions.changes(fileOf({ exchangeRates: [usd(0.95)] }))).toEqual(["~ exchangeRates USD rate"]);
    expect(definitions.changes(fileOf({ exchangeRates: [usd(0.95)] }), { prune: true })).toEqual(["- exchangeRates GBP"]);
    expect(exported()).toEqual([{ currencyCode: "USD", rate: 0.95 }]);
    expect([...definitions.compile().exchangeRates]).toEqual([["USD", 0.95]]);
    expect(definitions.changes(fileOf({ exchangeRates: [] }))).toEqual([]);
    expect(definitions.changes(fileOf({ exchangeRates: [{ currencyCode: "GBP", rate: 1.2 }] }))).toEqual([
      "~ exchangeRates GBP rate active",
    ]);
    expect(exported()).toEqual([
      { currencyCode: "USD", rate: 0.95 },
      { currencyCode: "GBP", rate: 1.2 },
    ]);
  });
});

describe("the base currency", () => {
  it("can change until an amount was added in it", () => {
    const definitions = DefinitionsInMemory.after(money());
    expect(definitions.problems(fileOf({ baseCurrency: "USD" }), { hasMoney: true })).toEqual([
      '/baseCurrency: the base currency cannot change any more, since amounts were added in EUR; leave it at "EUR"',
    ]);
    expect(definitions.changes(fileOf({ baseCurrency: "EUR" }), { hasMoney: true })).toEqual([]);
    expect(definitions.changes(fileOf({ baseCurrency: null }), { hasMoney: true })).toEqual([]);
    expect(definitions.changes(fileOf({ baseCurrency: "USD" }))).toEqual(["~ settings environment baseCurrency"]);
  });

  it("can only change together with the stored rates, which refer to the previous one", () => {
    const definitions = DefinitionsInMemory.after(rates(usd(), { currencyCode: "GBP", rate: 1.17 }));
    const problem = (names: string) =>
      `/baseCurrency: the rates of ${names} are to EUR; delete them first and add them again, or in a file put each into "exchangeRates" again or leave it out with --prune`;
    expect(definitions.problems(fileOf({ baseCurrency: "USD" }))).toEqual([problem('"USD", "GBP"')]);
    const file = fileOf({ baseCurrency: "USD", exchangeRates: [{ currencyCode: "GBP", rate: 1.27 }] });
    expect(definitions.problems(file)).toEqual([problem('"USD"')]);
    expect(definitions.changes(file, { prune: true })).toEqual([
      "~ settings environment baseCurrency",
      "~ exchangeRates GBP rate",
      "- exchangeRates USD",
    ]);
    expect(problemsOf(definitions.export())).toEqual([]);
  });
});

describe("points valuations", () => {
  const from = (effectiveFrom: string, more: object = {}) => ({ effectiveFrom, points: 100, amount: 1, currency: "EUR", ...more });

  test.each<[what: string, valuation: object, problems: string[]]>([
    [
      "of no points",
      from("2026-01-01T00:00:00Z", { points: 0 }),
      ["/pointsValuations/0/points: must be a whole number from 1 to 9007199254740991"],
    ],
    ["worth nothing", from("2026-01-01T00:00:00Z", { amount: 0 }), [`/pointsValuations/0/amount: ${NUMBER}`]],
    [
      "in no currency",
      from("2026-01-01T00:00:00Z", { currency: "€" }),
      ['/pointsValuations/0/currency: must be three capital letters, such as "EUR"'],
    ],
    [
      "from a date",
      from("2026-01-01"),
      ["/pointsValuations/0/effectiveFrom: must be an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z"],
    ],
  ])("%s are refused", (_, valuation, problems) => expect(problemsOf(fileOf({ pointsValuations: [valuation] }))).toEqual(problems));

  it("are identified by the instant from which they hold, in any notation", () => {
    const twice = fileOf({ pointsValuations: [from("2026-01-01T00:00:00Z"), from("2026-01-01T01:00:00.000+01:00")] });
    expect(problemsOf(twice)).toEqual([
      '/pointsValuations/1/effectiveFrom: the points valuation "2026-01-01T00:00:00.000Z" is in the list already, at /pointsValuations/0; leave one of the two out',
    ]);
    const definitions = DefinitionsInMemory.after(
      fileOf({ pointsValuations: [from("2026-01-01T00:00:00Z"), from("2027-01-01T00:00:00Z")] }),
    );
    expect(definitions.changes(fileOf({ pointsValuations: [from("2026-01-01T01:00:00+01:00", { amount: 2 })] }))).toEqual([
      "~ pointsValuations 2026-01-01T00:00:00.000Z amount",
    ]);
    expect(definitions.changes(fileOf({ pointsValuations: [from("2027-01-01T00:00:00Z")] }), { prune: true })).toEqual([
      "- pointsValuations 2026-01-01T00:00:00.000Z",
    ]);
    expect(JSON.stringify(definitions.export().pointsValuations)).toBe(
      '[{"effectiveFrom":"2027-01-01T00:00:00.000Z","points":100,"amount":1,"currency":"EUR"}]',
    );
    expect(definitions.changes(fileOf({ pointsValuations: [from("2026-01-01T00:00:00Z", { amount: 2 })] }))).toEqual([
      "~ pointsValuations 2026-01-01T00:00:00.000Z active",
    ]);
  });
});
