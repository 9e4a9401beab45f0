import { languageName } from "#server/model/kernel/languages.ts";
import { capitalised } from "../../components/words.ts";

/** A place in a definition: the members that lead to it. */
export type Path = readonly (string | number)[];

/** Something wrong at a place of a definition; `pointer` is a JSON pointer (RFC 6901) into it, "" for the whole. */
export interface Problem {
  pointer: string;
  message: string;
  /** Whether the message says itself what it is about. */
  namesItself?: boolean;
}

const escaped = (name: string | number): string => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

/** "/objectives/0/target" */
export const pointerTo = (path: Path): string => path.map((name) => `/${escaped(name)}`).join("");

/** The members that a pointer leads through; those of lists as text too. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Whether a pointer leads to `place` or into it. */
export const isWithin = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`);

/** The place around one, null around the whole. */
export const around = (pointer: string): string | null => (pointer === "" ? null : pointer.slice(0, pointer.lastIndexOf("/")));

/** What stands at a place; undefined where there is nothing. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[name] : undefined),
    value,
  );
}

/** What one entry of a list is called. */
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

/** What a member's field is called where the member's own name does not say it. */
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

/** "Objective 1, condition 2, target", "Name in Dutch": a place in words, for a problem that is shown away from it. */
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
