import fc from "fast-check";
import type { Schema } from "./targets.ts";

/** JSON as text, since parsed values cannot contain its hostile parts: a number's digits, a repeated member, a lone surrogate. */
export type Json = fc.Arbitrary<string>;

const quoted = (text: string): string => JSON.stringify(text);
/** Bounds lists of long lists; it is many times what any route accepts. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
const repeated = (item: string, count: number): string[] =>
  Array<string>(Math.min(count, Math.ceil(MAX_CHARACTERS / (item.length + 1)))).fill(item);
const listOf = (items: readonly string[]): string => `[${items.join()}]`;
const objectOf = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, value]) => `${name}:${value}`).join()}}`;

const TEXTS = [
  "",
  " ",
  "\t\n\r",
  "__proto__",
  "constructor",
  "toString",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00\ud800",
  "\ufeff",
  "\u202e",
  "e\u0301".repeat(100),
  "😀".repeat(200),
  "😀".repeat(201),
  "x".repeat(200),
  "x".repeat(201),
  "x".repeat(5_000),
  "<!---->".repeat(40),
  "<svg xmlns='http://www.w3.org/2000/svg' style='background:url(url(url('/>",
  "url(".repeat(200),
  `${" ".repeat(500)}x`,
  `1.${"0".repeat(500)}1`,
  "a@".repeat(100),
  "../../etc/passwd",
  "%00%ff",
  "' or 1=1 --",
  "{{7*7}}${7*7}",
  "2026-02-30T25:61:61Z",
  "2026-01-31T09:00:00+24:00",
  `2026-01-31T09:00:00.${"0".repeat(300)}Z`,
  "9999-12-31T23:59:59.999Z",
  "-271821-04-20T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "Europe/Nowhere",
  "Etc/GMT+14",
  "nl-BE-x-".repeat(20),
  "00000000-0000-0000-0000-000000000000",
  "[".repeat(500),
  '{"all":['.repeat(100),
  "http://[::ffff:169.254.169.254]/",
  "javascript:alert(1)",
];
const NUMBERS = [
  "0",
  "-0",
  "-1",
  "1.0",
  "1e0",
  "1e2",
  "1e400",
  "1e-400",
  "-1e999999999",
  `1e${"9".repeat(30)}`,
  "2147483648",
  "9007199254740993",
  "-9007199254740991",
  "12345678901234567890.12345678",
  "123456789012345678901.123456789",
  "0.000000001",
  `0.${"0".repeat(300)}1`,
  "9".repeat(400),
  `1${"0".repeat(400)}`,
];
const NAMES = ["__proto__", "constructor", "", "a", "\0", "\ud800", "length", "0", "4294967295", "x".repeat(3_000), "toJSON", "then"];

/** Any small JSON, with the mistakes that people and programs make. */
const oddJson: Json = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("null", "true", "false", ...NUMBERS, ...TEXTS.map(quoted)),
    fc.array(tie("any"), { maxLength: 4 }).map(listOf),
    fc.array(fc.tuple(fc.constantFrom(...NAMES).map(quoted), tie("any")), { maxLength: 4 }).map(objectOf),
  ),
})).any;

/** Numbers of repetitions, rarely large, so that lists and objects are sometimes long. */
const often = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(0, 1, 1, 1, 2, 3) },
  { weight: 1, arbitrary: fc.constantFrom(50, 500, 1_001) },
);

const nested: Json = fc
  .tuple(fc.constantFrom(["[", "]"], ['{"a":', "}"], ['{"all":[', "]}"], ['{"not":', "}"]), fc.constantFrom(10, 100, 999, 1_001, 3_000))
  .map(([[open, close], levels]) => `${open!.repeat(levels)}1${close!.repeat(levels)}`);

const unknownMembers: fc.Arbitrary<[string, string][]> = fc
  .tuple(fc.constantFrom(1, 1, 3, 100, 2_000), fc.constantFrom(...NAMES), oddJson)
  .map(([count, name, value]) =>
    Array.from({ length: count }, (_, at) => [quoted(count === 1 ? name : `${name}${at}`), value] as [string, string]),
  );

/** Values for known member names, so that a body passes the first checks. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** A body of this schema with extreme values, or with an unsuitable value in one place. */
export function bodyOf(schema: Schema, known: Known): Json {
  const definitions = schema.$defs ?? {};

  const valueOf = (given: Schema, depth: number): Json => {
    const usual = usualOf(given, depth);
    return depth === 0
      ? usual
      : fc.oneof({ weight: 12, arbitrary: usual }, { weight: 2, arbitrary: oddJson }, { weight: 1, arbitrary: nested });
  };

  const usualOf = (given: Schema, depth: number): Json => {
    if (depth > 8) return oddJson;
    if (given.$ref !== undefined) return usualOf(definitions[given.$ref.split("/").at(-1)!] ?? {}, depth + 1);
    const choices = given.anyOf ?? given.oneOf ?? given.allOf;
    if (choices !== undefined) return fc.oneof(...choices.map((one) => usualOf(one, depth + 1)));
    if (given.const !== undefined) return fc.constant(JSON.stringify(given.const));
    if (given.enum !== undefined) return fc.constantFrom(...given.enum.map((one) => JSON.stringify(one)));
    const type = Array.isArray(given.type) ? given.type[0] : given.type;
    const examples = (given.examples ?? []).map((one) => JSON.stringify(one));
    if (type === "object" || given.properties !== undefined) return objectWith(given, depth);
    if (type === "array")
      return fc.tuple(often, valueOf(given.items ?? {}, depth + 1)).map(([count, item]) => listOf(repeated(item, count)));
    if (type === "string") return fc.constantFrom(...examples, ...examples, ...TEXTS.map(quoted));
    if (type === "number" || type === "integer") return fc.constantFrom(...examples, ...NUMBERS);
    if (type === "boolean") return fc.constantFrom("true", "false");
    return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), oddJson) : oddJson;
  };

  const objectWith = ({ properties = {}, required = [], additionalProperties }: Schema, depth: number): Json => {
    const members = Object.entries(properties).map(([name, schemaOfIt]) => {
      const named = known[name];
      const value =
        named === undefined
          ? valueOf(schemaOfIt, depth + 1)
          : fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...named.map(quoted)) }, valueOf(schemaOfIt, depth + 1));
      const once = value.map((json): [string, string][] => [[quoted(name), json]]);
      const twice = fc.tuple(oddJson, value).map((both) => both.map((json): [string, string] => [quoted(name), json]));
      const left = fc.constant<[string, string][]>([]);
      return fc.oneof(
        { weight: required.includes(name) ? 30 : 12, arbitrary: once },
        { weight: 1, arbitrary: twice },
        { weight: required.includes(name) ? 1 : 8, arbitrary: left },
      );
    });
    if (typeof additionalProperties === "object") {
      const one = fc.tuple(fc.constantFrom("tier", "age", ...NAMES).map(quoted), valueOf(additionalProperties, depth + 1));
      members.push(fc.array(one, { maxLength: 4 }));
    }
    const unknown = fc.oneof({ weight: 10, arbitrary: fc.constant<[string, string][]>([]) }, { weight: 1, arbitrary: unknownMembers });
    return fc.tuple(unknown, ...members).map((parts) => objectOf(parts.flat()));
  };

  return valueOf(schema, 0);
}

/** The bytes of a text, sometimes corrupted. */
export const brokenNowAndThen = (json: Json): fc.Arbitrary<Buffer> =>
  fc
    .tuple(json, fc.constantFrom<Break>("no", "no", "no", "no", "no", "no", "cut", "bytes", "nul", "bom", "twice", "utf16"), fc.nat())
    .map(([text, how, where]) => {
      const bytes = Buffer.from(text);
      const at = bytes.length === 0 ? 0 : where % bytes.length;
      switch (how) {
        case "no":
          return bytes;
        case "cut":
          return bytes.subarray(0, at);
        case "bytes":
          return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80]), bytes.subarray(at)]);
        case "nul":
          return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(3), bytes.subarray(at)]);
        case "bom":
          return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
        case "twice":
          return Buffer.concat([bytes, bytes]);
        case "utf16":
          return Buffer.from(text, "utf16le");
      }
    });

type Break = "no" | "cut" | "bytes" | "nul" | "bom" | "twice" | "utf16";
