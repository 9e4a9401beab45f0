import fc from "fast-check";
import { expect, test } from "vitest";
import { isSpread } from "../../db/testing.ts";
import { mission, shop } from "../definitions.ts";
import { exchange } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const backend = await service.sandbox({
  ...shop(mission("coffee_lover", { optIn: "Manual" })),
  attributes: [
    { key: "tier", name: "Tier", type: "String" },
    { key: "age", name: "Age", type: "Number" },
  ],
  baseCurrency: "EUR",
  exchangeRates: [{ currencyCode: "USD", rate: 0.92 }],
  metrics: [{ key: "spend", name: "Spend", kind: "Currency", properties: [{ key: "channel", type: "String" }] }],
  streaks: [{ key: "daily", name: "Daily", metric: "spend", measure: { kind: "Sum" }, cadence: "Day" }],
  missionCollections: [{ key: "first_steps", name: "First steps", missions: ["coffee_lover"] }],
});
const { json: document } = await exchange(service.port, "GET", "/v1/openapi.json");
const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, { parameters, requestBody }]) => ({
    method: method.toUpperCase(),
    path,
    inQuery: parameters.filter((one: any) => one.in === "query").map(({ name }: any): string => name),
    example: requestBody?.content["application/json"].example,
  })),
);

const TEXTS = [
  "",
  " ",
  "ann",
  "order_placed",
  "2026-01-31",
  "2026-01-31T09:00:00+24:00",
  "__proto__",
  "\0",
  "\ud800",
  "😀".repeat(201),
  "%00",
];
const NUMBERS = ["0", "-0", "-1", "1.0", "1e0", "1e400", "-1e-400", "2147483648", "9007199254740993", "12345678901234567890.123456789"];
const WORDS = [
  "",
  "%20",
  "%00",
  "%FF",
  "%zz",
  "ann",
  "1",
  "0",
  "2147483648",
  "first_steps",
  "coffee_lover",
  "..",
  "%2F",
  "%F0%9F%98%80",
  "a+b",
];

const quoted = (text: string): string => JSON.stringify(text);
const arrayOf = (items: readonly string[]): string => `[${items.join()}]`;
const objectOf = (members: readonly string[]): string => `{${members.join()}}`;

/** Any JSON, as text, with values that people and machines often get wrong. */
const oddJson = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("null", "true", ...NUMBERS, ...TEXTS.map(quoted)),
    fc.array(tie("any"), { maxLength: 3 }).map(arrayOf),
    fc
      .array(fc.tuple(fc.constantFrom(...TEXTS).map(quoted), tie("any")), { maxLength: 3 })
      .map((pairs) => objectOf(pairs.map((pair) => pair.join(":")))),
  ),
})).any;

/** The JSON text of an example in which any part, however deep, may be replaced, repeated or renamed. */
function oddlyWritten(example: unknown): fc.Arbitrary<string> {
  const mostly = (usual: fc.Arbitrary<string>) => fc.oneof({ weight: 4, arbitrary: usual }, oddJson);
  if (typeof example !== "object" || example === null) return mostly(fc.constant(JSON.stringify(example)));
  if (Array.isArray(example)) return mostly(fc.tuple(...example.map(oddlyWritten)).map(arrayOf));
  const members = Object.entries(example).map(([name, value]) =>
    fc.oneof(
      { weight: 4, arbitrary: oddlyWritten(value).map((json) => `${quoted(name)}:${json}`) },
      oddJson.map((json) => `${quoted(name)}:${json},${quoted(name)}:${JSON.stringify(value)}`),
      oddJson.map((json) => `${quoted(name.toUpperCase())}:${json}`),
    ),
  );
  return mostly(fc.tuple(...members).map(objectOf));
}

const word = fc.constantFrom(...WORDS);

test.each(operations)(
  "$method $path: any request gets an answer that the reference describes",
  async ({ method, path, inQuery, example }) => {
    const names = fc.constantFrom(...inQuery, ...inQuery.map((name: string) => name.toLowerCase()), "Unknown", "__proto__");
    const query = fc.array(fc.tuple(names, word), { maxLength: 4 }).map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
    const target = fc.tuple(word, query).map(([filled, asked]) => `${path.replace(/\{\w+\}/, () => filled)}?${asked}`);
    const body = example === undefined ? fc.constant(undefined) : oddlyWritten(example);
    const seen = new Set<number>();
    const runs = fc.asyncProperty(target, body, async (to, sent) => {
      const reply = await exchange(service.port, method, to, { body: sent, headers: { authorization: `Bearer ${backend.key}` } });
      expect(reply.status, reply.text).toBeLessThan(500);
      expect(service.conformance.ofAnswer(method, to, reply)).toEqual([]);
      // The key identifies a replayed event, whatever else its item says.
      const isTaken = reply.status < 300 && sent !== undefined && path !== "/v1/events";
      if (isTaken) expect(service.conformance.ofBody(method, to, JSON.parse(sent))).toEqual([]);
      seen.add(reply.status);
    });
    // The example itself comes first: oddly written ones may all be refused.
    const examples: [string, string | undefined][] = [[path, example === undefined ? undefined : JSON.stringify(example)]];
    await fc.assert(runs, { numRuns: isSpread() ? 50 : 100, examples });
    // Otherwise the test tried nothing that is refused, or nothing that is accepted.
    expect(seen.size).toBeGreaterThan(1);
    await backend.applied();
  },
);
