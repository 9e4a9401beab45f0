import { z } from "zod";
import { writeJson } from "../kernel/json.ts";
import { parseInstant } from "../kernel/time.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { pointerTo, shortened } from "../rules/naming.ts";
import { given } from "../rules/readable.ts";
import { canonicalObjectives } from "./canonical.ts";
import { type Kind, SHAPES, type Shaped } from "./contract.ts";
import { differencesIn } from "./difference.ts";
import type { Entry } from "./file.ts";
import { readObjectives } from "./mission-rules.ts";
import type { Result, DefinitionState } from "./result.ts";
import type { Stored } from "./stored.ts";
import { readShape, valueAt } from "./zod-error-map.ts";

/** What a change may depend on. `now` is on the environment's clock. */
export interface Circumstances {
  now: number;
  /** The project's default language. */
  language: string;
  /** The base currency as it is stored, and whether an amount of money was ever added in it. */
  baseCurrency: string | null;
  hasMoney: boolean;
  /** The uploaded images of the project that the file names; left out where nobody asks whether they are there. */
  images?: ReadonlySet<string>;
}

/** Members that stay as they were made (definitions.md, Rules); of a mission its objectives too. */
export const FIXED: { [K in Kind]: readonly (keyof Shaped<K> & string)[] } = {
  events: [],
  metrics: ["kind"],
  exchangeRates: [],
  attributes: ["type"],
  segments: [],
  catalogItems: ["valueType"],
  missions: ["objectiveOrder", "optIn", "recurrence"],
  missionCollections: [],
  streaks: ["cadence"],
  leaderboards: ["scoreSource", "event", "metric", "attribute", "rankOrder", "teamAttribute"],
  marketplaceItems: ["recurrence"],
  marketplaceCollections: [],
  pointsValuations: [],
};

/** What an entry changes that cannot change, with the way out. Parts that cannot be read are passed over. */
export function immutableFindings({ kind, entry, stored }: DefinitionState, result: Result, circumstances: Circumstances): Finding[] {
  if (entry === null || stored === null) return [];
  const found = FIXED[kind].flatMap((member: string) => fixedMember(kind, member, entry, stored));
  if ((entry.kind === "events" || entry.kind === "metrics") && (stored.kind === "events" || stored.kind === "metrics")) {
    found.push(...propertyTypes(entry, stored));
  }
  if (entry.kind === "missions" && stored.kind === "missions") {
    found.push(...objectives(entry, stored, result, circumstances.language));
  }
  found.push(...startReached(entry, stored, circumstances.now));
  return found;
}

function fixedMember(kind: Kind, member: string, { at, raw }: Entry, stored: Stored): Finding[] {
  const shapes: Record<string, z.ZodType> = SHAPES[kind].shape;
  const result = readShape<unknown>(shapes[member] ?? z.never(), valueAt(raw, [member]));
  if ("findings" in result || writeJson(result.shaped) === writeJson(valueAt(stored.shaped, [member]))) return [];
  const before = shortened(writeJson(valueAt(stored.shaped, [member])));
  return [finding([kind, at, member], "definition.fixed", { kind, member, before })];
}

function propertyTypes({ kind, at, readable }: Entry<"events" | "metrics">, stored: Stored<"events" | "metrics">): Finding[] {
  const types = new Map(stored.shaped.properties.map(({ key, type }) => [key, type]));
  return (given(given(readable)?.properties) ?? []).flatMap((one, place) => {
    const property = given(one);
    const before = types.get(given(property?.key) ?? "");
    const now = given(property?.type);
    if (before === undefined || now === undefined || before === now) return [];
    const path: Path = [kind, at, "properties", place, "type"];
    return [finding(path, "property.type_fixed", { key: String(property?.key), before })];
  });
}

function objectives(entry: Entry<"missions">, stored: Stored<"missions">, result: Result, language: string): Finding[] {
  const shapes = readObjectives(entry);
  if (shapes === null) return [];
  const now = canonicalObjectives(shapes, result, language);
  if (writeJson(now) === writeJson(stored.shaped.objectives)) return [];
  const path = ["missions", entry.at, "objectives"];
  const [first] = differencesIn(["objectives"], stored.shaped, { objectives: now });
  const place = pointerTo([...path, ...(first?.path.slice(1) ?? [])]);
  const before = first?.before === undefined ? "nothing" : shortened(writeJson(first.before));
  return [finding(path, "mission.objectives_fixed", { before, pointer: place })];
}

/** The windows that definitions have, by kind. */
export const WINDOWS = { missions: "window", marketplaceItems: "onSale" } as const;

/** The start of a window can be moved until it is reached. */
function startReached({ kind, at, raw }: Entry, stored: Stored, now: number): Finding[] {
  const member = kind in WINDOWS ? WINDOWS[kind as keyof typeof WINDOWS] : null;
  if (member === null) return [];
  const before = valueAt(stored.shaped, [member, "startsAt"]) as string | null;
  const window = readShape<unknown>((SHAPES[kind].shape as Record<string, z.ZodType>)[member] ?? z.never(), valueAt(raw, [member]));
  if (before === null || (parseInstant(before) ?? 0) > now || "findings" in window) return [];
  if (valueAt(window.shaped, ["startsAt"]) === before) return [];
  return [finding([kind, at, member, "startsAt"], "definition.start_reached", { kind, member, before })];
}
