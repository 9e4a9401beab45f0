import fc from "fast-check";
import { ATTACKS } from "./attacks.ts";
import { bodyOf, brokenNowAndThen, type Known } from "./bodies.ts";
import type { Schema, Target } from "./targets.ts";

/** One request. The same seed and number always give the same request. */
export interface Case {
  number: number;
  /** "POST /v1/events · generated", "… · empty objects in /events/0". */
  name: string;
  target: Target;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface CaseOptions {
  seed: number;
  targets: readonly Target[];
  known: Known;
  /** One case in this many is from the catalogue of attacks; the others are generated. */
  attackEvery: number;
}

const WORDS = [
  "",
  "%20",
  "%00",
  "%FF",
  "%zz",
  "ann",
  "first_steps",
  "coffee_lover",
  "..",
  "%2F",
  "%F0%9F%98%80",
  "a+b",
  "x".repeat(200),
  "%00".repeat(1_000),
  "1e999",
];
/** The request line and the headers may have 64 KiB together; shorter queries keep a run quick. */
const MAX_QUERY_LENGTH = 12_000;

/** Makes a case from its number, by which a finding can be repeated. */
export function casesOf({ seed, targets, known, attackEvery }: CaseOptions): (number: number) => Case {
  const generated = targets.map((target) => generatedFor(target, known));
  const matrix = ATTACKS.flatMap((attack, row) => {
    const takers = targets.filter((target) => takes(target, attack));
    return takers.map((target, column) => ({ attack, target, round: (column + 7 * row) % takers.length }));
  });
  // Each round has every attack once, each on another target, so that even a short run has every attack.
  const inTurn = matrix.toSorted((a, b) => a.round - b.round);

  return (number) => {
    const [random] = fc.sample(fc.nat(), { seed: Math.imul(seed, 0x9e3779b1) + number, numRuns: 1 });
    if (number % attackEvery !== 0) {
      const at = (number - Math.ceil(number / attackEvery)) % targets.length;
      const [made] = fc.sample(generated[at]!, { seed: random, numRuns: 1 });
      return { ...made!, number };
    }
    const turn = number / attackEvery;
    const { attack, target } = inTurn[turn % inTurn.length]!;
    // The first pass has the largest bodies, further ones have random sizes.
    const size = turn < inTurn.length ? target.largest - 200 : 64 + (random! % Math.min(65_536, target.largest - 200));
    return { ...attacked(attack, target, size, random!, known), number };
  };
}

type Attack = (typeof ATTACKS)[number];
type Made = Omit<Case, "number">;

/** The public API reads every body as JSON, whatever its type is; pages take forms. */
const takes = ({ kind, schema }: Target, attack: Attack): boolean => schema !== null && (kind !== "page" || "raw" in attack);

const filled = (path: string, word: string): string => path.replaceAll(/\{\w+\}/g, () => word);

function generatedFor(target: Target, known: Known): fc.Arbitrary<Made> {
  const word = fc.constantFrom(...WORDS);
  const names = [...target.query, ...target.query.map((name) => name.toLowerCase()), "Unknown", "__proto__", "PlayerId"];
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), word), { maxLength: 6 });
  const times = fc.oneof({ weight: 40, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(500) });
  const query = fc.tuple(pairs, times).map(([some, count]) =>
    Array<string>(count)
      .fill(some.map((pair) => pair.join("=")).join("&"))
      .join("&")
      .slice(0, MAX_QUERY_LENGTH),
  );
  const path = fc
    .tuple(word, query)
    .map(([inPath, asked]) => `${filled(target.path, inPath.slice(0, 1_000))}${asked === "" ? "" : `?${asked}`}`);
  const body = target.schema === null ? fc.constant(null) : brokenNowAndThen(bodyOf(target.schema, known));
  const type = target.kind === "page" ? "text/plain" : "application/json";
  return fc.tuple(path, body).map(([at, bytes]) => ({
    name: `${target.name} · generated`,
    target,
    path: at,
    headers: { "content-type": type, accept: target.kind === "page" ? "text/html" : "*/*" },
    // A body that is too large is refused by its length, which the attacks cover.
    body: bytes === null || bytes.length > target.largest ? null : bytes,
  }));
}

function attacked(attack: Attack, target: Target, size: number, random: number, known: Known): Made {
  const path = filled(target.path, "coffee_lover");
  if ("raw" in attack)
    return { name: `${target.name} · ${attack.name}`, target, path, headers: attack.raw.headers, body: attack.raw.bytes(size) };
  const example = exampleOf(target.schema!, known);
  const places = placesIn(example);
  const place = places[random % places.length]!;
  const value = attack.value(Math.max(64, size - JSON.stringify(example).length));
  const name = `${target.name} · ${attack.name} in ${place.length === 0 ? "place of all" : `/${place.join("/")}`}`;
  return { name, target, path, headers: { "content-type": "application/json" }, body: Buffer.from(put(example, place, value)) };
}

/** A body that is accepted, or nearly: each member has one of its examples. */
function exampleOf(schema: Schema, known: Known): unknown {
  const definitions = schema.$defs ?? {};
  const of = (given: Schema, depth: number, name = ""): unknown => {
    if (depth > 8) return null;
    if (known[name] !== undefined) return known[name][0];
    if (given.examples !== undefined) return given.examples[0];
    if (given.$ref !== undefined) return of(definitions[given.$ref.split("/").at(-1)!] ?? {}, depth + 1);
    const choices = given.anyOf ?? given.oneOf ?? given.allOf;
    if (choices !== undefined) return of(choices[0]!, depth + 1);
    if (given.const !== undefined) return given.const;
    if (given.enum !== undefined) return given.enum[0];
    const type = Array.isArray(given.type) ? given.type[0] : given.type;
    if (type === "object")
      return Object.fromEntries(Object.entries(given.properties ?? {}).map(([key, one]) => [key, of(one, depth + 1, key)]));
    if (type === "array") return [of(given.items ?? {}, depth + 1)];
    if (type === "string") return given.format === "uuid" ? "00000000-0000-4000-8000-000000000000" : "x";
    return type === "number" || type === "integer" ? 1 : type === "boolean" ? true : {};
  };
  return of(schema, 0);
}

type Place = readonly (string | number)[];

/** The paths of the whole value, of each value in it, and of an unknown member in each object. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (Array.isArray(value)) return [at, ...value.flatMap((one, index) => placesIn(one, [...at, index]))];
  if (typeof value !== "object" || value === null) return [at];
  return [at, [...at, "unknown"], ...Object.entries(value).flatMap(([name, one]) => placesIn(one, [...at, name]))];
}

const HERE = "the attack stands here";

function put(example: unknown, place: Place, value: string): string {
  const whole = { root: structuredClone(example) };
  const path: Place = ["root", ...place];
  const holder = path.slice(0, -1).reduce<any>((inner, step) => inner[step], whole);
  holder[path.at(-1)!] = HERE;
  return JSON.stringify(whole.root).replace(JSON.stringify(HERE), () => value);
}
