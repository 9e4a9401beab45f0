import { languageName } from "#server/model/kernel/languages.ts";
import { capitalised } from "../../components/words.ts";

/** A path in a definition: its members from the root. */
export type Path = readonly (string | number)[];

/** A problem in a definition; `pointer` is a JSON pointer (RFC 6901), "" for the root. */
export interface Problem {
  pointer: string;
  message: string;
  /** Whether the message already names its subject. */
  namesItself?: boolean;
}

const escaped = (name: string | number): string => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

/** "/objectives/0/target" */
export const pointerTo = (path: Path): string => path.map((name) => `/${escaped(name)}`).join("");

/** The members of a pointer; list indices are text too. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Whether a pointer equals `place` or is inside it. */
export const isWithin = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`);

/** The parent path; null for the root. */
export const around = (pointer: string): string | null => (pointer === "" ? null : pointer.slice(0, pointer.lastIndexOf("/")));

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[name] : undefined),
    value,
  );
}

/** The name of a list entry. */
const ENTRIES: Record<string, string> = {
  objectives: "objective",
  rewards: "reward",
  milestones: "milestone",
  prizes: "prize",
  tiers: "tier",
  properties: "property",
  contents: "item",
  missions: "mission",
  items: "listing",
  all: "condition",
  any: "condition",
};

/** Field labels that differ from the member's name. */
const FIELDS: Record<string, string> = {
  objectiveOrder: "order",
  optIn: "entry",
  appearsIn: "shown",
  recurrence: "repeats",
  window: "availability",
  onSale: "availability",
  startsAt: "start",
  endsAt: "end",
  audience: "audience",
  contents: "contents",
  limitPerPlayer: "limit per player",
  currencyCode: "currency",
  effectiveFrom: "from",
  rankOrder: "order",
  settleAfterMinutes: "settles after",
  topSize: "top list size",
  groupSize: "players in a group",
  promotes: "move up",
  relegates: "move down",
  earnEvery: "earn one every",
  max: "maximum held",
  cooldownHours: "pause between repeats",
  maxOccurrences: "maximum repeats",
  lastDays: "in the last days",
};

/** "Objective 1, condition 2, target", "Name in Dutch": a path in words, for a problem shown away from its field. */
export function placeInWords(pointer: string): string {
  const words: string[] = [];
  const path = pathOf(pointer).filter((name) => name !== "rule" && name !== "measure");
  for (const [at, name] of path.entries()) {
    const isEntry = /^\d+$/.test(name);
    if (path[at - 1] === "texts") words.push(`${words.pop() ?? "text"} in ${languageName(name)}`);
    else if (isEntry) words.push(`${ENTRIES[path[at - 1] ?? ""] ?? "no."} ${Number(name) + 1}`);
    else if (name !== "texts" && !(/^\d+$/.test(path[at + 1] ?? "") && name in ENTRIES)) words.push(FIELDS[name] ?? spaced(name));
  }
  return capitalised(words.join(", "));
}

const spaced = (name: string): string =>
  name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
