import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import { ENVIRONMENT_NAMES, otherOf } from "../../components/environment-badge.tsx";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { KIND_SCREENS } from "../kinds/index.ts";
import type { Divergence, Subject } from "./chosen.ts";

/** The heading of a group. */
export const kindTitle = (kind: Subject["kind"]): string => (kind === "settings" ? "Environment settings" : KIND_SCREENS[kind].many);

const kindNoun = (kind: Subject["kind"]): string => (kind === "settings" ? "settings" : KIND_SCREENS[kind].one);

/** "Mission", next to a name. */
export const kindOne = (kind: Subject["kind"]): string => capitalised(kindNoun(kind));

/** "mission first_order", in a sentence. */
export const subjectTitle = ({ kind, key }: Subject): string => (kind === "settings" ? "the settings" : `${kindNoun(kind)} ${key}`);

const SIGNS = ["+", "~", "-"] as const;

type Signed = readonly Pick<Divergence, "sign">[];

/** "2 new, 1 changed, 3 switched off" */
export const countWords = (changes: Signed): string => countsIn(changes, "switched off");

/** The same before anything is selected: "23 new, 2 changed, 1 only in Live" */
export const differenceWords = (divergences: Signed, { to }: { to: string }): string => countsIn(divergences, `only in ${to}`);

function countsIn(changes: Signed, missing: string): string {
  const words = { "+": "new", "~": "changed", "-": missing };
  const counts = SIGNS.map((sign) => [changes.filter((change) => change.sign === sign).length, words[sign]] as const);
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(", ");
}

/** "Free coffee and 2 more" */
export const neededWords = ([first, ...others]: readonly Divergence[]): string =>
  first === undefined ? "" : `${first.name}${others.length === 0 ? "" : ` and ${others.length} more`}`;

/** The direction and its verb: to Live is promoting, the other way is copying. */
export const directionFrom = (environment: EnvironmentKind) => ({
  from: ENVIRONMENT_NAMES[environment],
  to: ENVIRONMENT_NAMES[otherOf(environment)],
  ...(environment === "sandbox" ? { verb: "Promote", done: "promoted" } : { verb: "Copy", done: "copied" }),
});
