import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../model/kernel/decimal.ts";
import type { Path } from "../../model/rules/finding.ts";
import { pointerTo } from "../../model/rules/naming.ts";
import { type SoundFile, soundFiles } from "../../model/definitions/testing/files.ts";
import { problemsOf } from "../../model/definitions/testing/in-memory.ts";
import { valueAt } from "../../model/definitions/value-at.ts";

/** Every path in a value, with the value there. */
function placesIn(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  const isCompound = typeof value === "object" && value !== null && !(value instanceof Decimal);
  const members: [string | number, unknown][] = !isCompound ? [] : Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [{ path, value }, ...members.flatMap(([name, one]) => placesIn(one, [...path, name]))];
}

/** A copy with another value at a path. */
function withValue(whole: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const inner = withValue(valueAt(whole, [name]), rest, value);
  return Array.isArray(whole) ? whole.with(Number(name), inner) : { ...(whole as object), [name]: inner };
}

const parent = (path: Path): Path => path.slice(0, -1);
const last = (path: Path): string | number | undefined => path.at(-1);
const pointersOf = (document: unknown): string[] => problemsOf(document).map((problem) => problem.slice(0, problem.indexOf(": ")));

/** Makes the mistake at an arbitrary suitable path of a file, and expects exactly this mistake to be reported. */
function everyMistakeIsFound(places: (file: SoundFile) => Path[], mistake: (value: unknown, path: Path, file: SoundFile) => unknown): void {
  fc.assert(
    fc.property(soundFiles(), fc.nat(), (file, some) => {
      const all = places(file);
      fc.pre(all.length > 0);
      const path = all[some % all.length]!;
      const wrong = withValue(file, path, mistake(valueAt(file, path), path, file));
      expect(pointersOf(wrong)).toEqual([pointerTo(path)]);
    }),
    { numRuns: 40 },
  );
}

const placesOf = (file: SoundFile, isOne: (path: Path, value: unknown) => boolean): Path[] =>
  placesIn(file)
    .filter(({ path, value }) => isOne(path, value))
    .map(({ path }) => path);

const REFERENCES = ["event", "metric", "streak", "attribute", "segment", "missionCompleted", "catalogItem", "property"];
/** Inside rules and objectives, and not a value that happens to have that name. */
const isReference = (path: Path): boolean =>
  REFERENCES.includes(String(last(path))) ||
  (String(path[0]).endsWith("Collections") && ["missions", "items"].includes(String(path[2])) && path.length === 4);

/** Values compared with a type, except those of a Collection, which may be anything. */
function isTyped(file: SoundFile, path: Path, value: unknown): boolean {
  const owner = typeof last(path) === "number" ? parent(path) : path;
  const isValue = last(owner) === "target" || last(owner) === "value";
  return isValue && !Array.isArray(value) && valueAt(file, [...parent(owner), "catalogItem"]) !== "collection";
}

describe("in a valid file a single mistake is found in its place, and nothing else:", () => {
  it("a reference that does not resolve", () =>
    everyMistakeIsFound(
      (file) => placesOf(file, isReference),
      () => "nothing_like_it",
    ));

  it("a value of another type", () =>
    everyMistakeIsFound(
      (file) => placesOf(file, (path, value) => isTyped(file, path, value)),
      (value) => (typeof value === "string" ? 5 : typeof value === "boolean" ? "true" : true),
    ));

  it("an invalid date", () =>
    everyMistakeIsFound(
      (file) => placesOf(file, (path, value) => isTyped(file, path, value) && isDateTime(file, path)),
      () => "2026-02-30T00:00:00Z",
    ));

  it("a list for a single value, and a single value for a list", () =>
    everyMistakeIsFound(
      (file) => placesOf(file, (path) => last(path) === "operator").map((path) => [...parent(path), memberOf(file, path)]),
      (value) => (Array.isArray(value) ? value[0] : [value]),
    ));

  it("an order of unordered values", () =>
    everyMistakeIsFound(
      (file) =>
        placesOf(file, (path) => {
          if (last(path) !== "operator") return false;
          const value = valueAt(file, [...parent(path), memberOf(file, path)]);
          const isString = valueAt(file, [...parent(path), "attribute"]) === "string" && typeof value === "string";
          return isString || typeof value === "boolean";
        }),
      () => "GreaterThan",
    ));

  it("a measure that its property does not have", () =>
    everyMistakeIsFound(
      (file) => placesOf(file, (path) => last(path) === "property" && path.at(-2) === "measure" && needsNumbers(file, path)),
      () => "boolean",
    ));

  it("a misspelt member", () =>
    fc.assert(
      fc.property(soundFiles(), fc.nat(), (file, some) => {
        const names = [
          "name",
          "rule",
          "objectives",
          "rewards",
          "event",
          "metric",
          "streak",
          "milestones",
          "attribute",
          "segment",
          "operator",
          "missions",
          "property",
        ];
        const places = placesOf(file, (path) => names.includes(String(last(path))) && path.length > 2);
        const path = places[some % places.length]!;
        const { [last(path)!]: value, ...rest } = valueAt(file, parent(path)) as Record<string, unknown>;
        const wrong = withValue(file, parent(path), { ...rest, [`${last(path)}_`]: value });
        expect(problemsOf(wrong)).toContain(
          `${pointerTo([...parent(path), `${last(path)}_`])}: there is no member "${last(path)}_" here; did you mean "${last(path)}"?`,
        );
      }),
      { numRuns: 40 },
    ));

  it("a segment that contains itself, directly or not", () =>
    fc.assert(
      fc.property(soundFiles(), fc.nat(), fc.nat(), fc.constantFrom("all", "any", "not"), (file, one, other, compound) => {
        fc.pre(file.segments.length > 0);
        const named = file.segments[one % file.segments.length]!.key;
        const reachable = file.segments.filter(({ key }) => key === named || isNamed(file, named, key));
        const user = reachable[other % reachable.length]!;
        const back = compound === "not" ? { not: { segment: named } } : { [compound]: [user.rule, { segment: named }] };
        const rule = compound === "not" ? { all: [user.rule, back] } : back;
        const segments = file.segments.map((segment) => (segment === user ? { ...user, rule } : segment));
        const problems = problemsOf({ ...file, segments });
        expect(problems.length).toBeGreaterThan(0);
        for (const problem of problems) {
          const [, at, circle] = /^\/segments\/(\d+)\/rule\/.*segment: a segment cannot contain itself: (.*); take/.exec(problem) ?? [];
          const keys = circle?.split(" → ") ?? [];
          expect([keys[0], segments[Number(at)]?.key]).toEqual([keys.at(-1), keys.at(-2)]);
          for (const [place, key] of keys.slice(1).entries()) expect(namedBy(segments, keys[place]!)).toContain(key);
        }
      }),
      { numRuns: 40 },
    ));
});

const memberOf = (file: SoundFile, path: Path): "value" | "target" =>
  Object.hasOwn(valueAt(file, parent(path)) as object, "target") ? "target" : "value";

const needsNumbers = (file: SoundFile, path: Path): boolean =>
  ["Sum", "Max", "Min"].includes(String(valueAt(file, [...parent(path), "kind"])));

/** Whether a path compares instants: the generator names such attributes and properties "datetime". */
function isDateTime(file: SoundFile, path: Path): boolean {
  const owner = valueAt(file, parent(typeof last(path) === "number" ? parent(path) : path)) as Record<string, unknown>;
  const measure = owner.measure as { kind: string; property?: string } | undefined;
  if (measure !== undefined) return measure.property === "datetime" && measure.kind !== "DistinctCount";
  return [owner.attribute, owner.property, owner.catalogItem].includes("datetime");
}

const namedBy = (segments: SoundFile["segments"], key: string): unknown[] =>
  placesIn(segments.find((segment) => segment.key === key)?.rule)
    .filter(({ path }) => last(path) === "segment")
    .map(({ value }) => value);

/** Whether a segment references another one, directly or not. */
const isNamed = (file: SoundFile, by: string, key: string): boolean =>
  namedBy(file.segments, by).some((one) => one === key || isNamed(file, String(one), key));
