import type { Kind } from "#server/model/definitions/contract.ts";
import type { Draft } from "../document/draft.ts";
import { type Path, pathOf, valueAt } from "../document/pointers.ts";
import { KIND_MODULES } from "../kinds/index.ts";
import type { FixedPlace } from "./fixed.ts";

/** Their labels in the form. Related members share one. */
const NAMES: Record<string, string> = {
  key: "key",
  objectives: "objectives",
  objectiveOrder: "objective order",
  optIn: "entry",
  recurrence: "repeats",
  cadence: "repeats",
  scoreSource: "score",
  event: "score",
  metric: "score",
  attribute: "score",
  where: "score",
  measure: "score",
  rankOrder: "order",
  period: "period",
  teamAttribute: "teams",
  league: "league (tiers can be renamed)",
  valueType: "type of value",
  kind: "type",
  type: "type",
  properties: "types of properties",
  window: "start",
  onSale: "start",
};

/** "key, objectives and entry": a definition's immutable members; those without a label are left out. */
export function fixedInNames(fixed: readonly Pick<FixedPlace, "pointer">[], draft: Draft): string | null {
  const paths = fixed.map(({ pointer }) => pathOf(pointer)).filter((path) => saysSomething(draft, path));
  const names = namesOf(paths.map(([member]) => String(member)));
  // The key alone needs no notice: its field says so.
  return names.length < 2 ? null : inOneLine(names);
}

/** The same for a definition before creation; null where only the key is immutable. */
export function fixedLaterInNames(kind: Kind): string | null {
  const { fixedLater } = KIND_MODULES[kind];
  return fixedLater === undefined ? null : inOneLine(namesOf(["key", ...fixedLater]));
}

const saysSomething = (draft: Draft, path: Path): boolean => (valueAt(draft, path) ?? null) !== null;

const ORDER = Object.keys(NAMES);

/** In the order of the list above, not the service's. */
const namesOf = (members: readonly string[]): string[] => {
  const ordered = members.toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
  return [...new Set(ordered.map((member) => NAMES[member] ?? member))];
};

const inOneLine = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)!}`;
