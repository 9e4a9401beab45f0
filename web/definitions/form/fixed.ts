import type { Kind } from "#server/model/definitions/contract.ts";
import type { Draft } from "../document/draft.ts";
import { type Sent, wordsOf } from "../document/form-words.ts";
import { fieldName } from "../document/labels.ts";
import type { Path } from "#server/model/rules/finding.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import { valueAt } from "#server/model/definitions/value-at.ts";
import { isWithin, pathOf } from "../document/pointers.ts";
import { DRAFTS } from "../kinds/drafts.ts";

/** An immutable path, the reason, and the workaround. */
export interface FixedField {
  pointer: string;
  reason: string;
}

/** The service's message about immutable members, in a form's words. */
export const fixedInWords = (fixed: readonly (Sent & { pointer: string })[]): FixedField[] =>
  fixed.map(({ pointer, ...why }) => ({ pointer, reason: wordsOf(why) }));

/** A league's structure is immutable; its tiers can be renamed. */
const NAME_OF_TIER = /^\/league\/tiers\/\d+\/name(\/|$)/;

/** The reason for a path: its own, or its ancestor's. */
export function reasonFor(fixed: readonly FixedField[], at: Path): string | null {
  const pointer = pointerTo(at);
  if (NAME_OF_TIER.test(pointer)) return null;
  return fixed.find((place) => isWithin(pointer, place.pointer))?.reason ?? null;
}

/** The names of immutable members that differ from the field's label. Related members share a name. */
const NAMES: Record<string, string> = {
  scoreSource: "score",
  event: "score",
  metric: "score",
  attribute: "score",
  where: "score",
  measure: "score",
  teamAttribute: "teams",
  league: "league (tiers can be renamed)",
  kind: "type",
  properties: "types of properties",
  window: "start",
  onSale: "start",
};

/** "key, objectives and entry": a definition's immutable members; those without a value are left out. */
export function fixedInNames(kind: Kind, fixed: readonly Pick<FixedField, "pointer">[], draft: Draft): string | null {
  const paths = fixed.map(({ pointer }) => pathOf(pointer)).filter((path) => (valueAt(draft, path) ?? null) !== null);
  // In the order of the form, not the service's.
  const order = ["key", ...(DRAFTS[kind].fixedLater ?? [])];
  const names = namesOf(paths.map(([member]) => String(member)).toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
  // The key alone needs no notice: its field says so.
  return names.length < 2 ? null : inOneLine(names);
}

/** The same for a definition before creation; null where only the key is immutable. */
export function fixedLaterInNames(kind: Kind): string | null {
  const { fixedLater } = DRAFTS[kind];
  return fixedLater === undefined ? null : inOneLine(namesOf(["key", ...fixedLater]));
}

const namesOf = (members: readonly string[]): string[] => [...new Set(members.map((member) => NAMES[member] ?? fieldName(member)))];

export const inOneLine = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)!}`;
