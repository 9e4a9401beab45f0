import type { Condition } from "../rules/condition.ts";
import { isInShare, type Share } from "../rules/share.ts";
import { leaves } from "../rules/tree.ts";

/** How a share divides players into those who may take part and those who are held out. */
export interface Exposure {
  share: Share;
  /** Under a `not`: those outside the share may take part. */
  isNegated: boolean;
}

/**
 * The share that an audience requires, so that all players outside it are held out by chance alone. Null: there is none; it is one
 * alternative of an `any`; or there are several, none of which alone divides the players.
 */
export function exposureOf(rule: Condition | null): Exposure | null {
  if (rule === null) return null;
  const shares = leaves<Condition>(rule).filter((leaf) => leaf.kind === "share");
  if (new Set(shares.map(({ salt, parts }) => `${parts} ${salt}`)).size !== 1) return null;
  return required(rule);
}

function required(rule: Condition): Exposure | null {
  if ("all" in rule) return rule.all.map(required).find((one) => one !== null) ?? null;
  if ("any" in rule) return rule.any.length === 1 ? required(rule.any[0]!) : null;
  if ("not" in rule) {
    const { not } = rule;
    const alone = "not" in not || ("kind" in not && not.kind === "share") ? required(not) : null;
    return alone && { ...alone, isNegated: !alone.isNegated };
  }
  return rule.kind === "share" ? { share: rule, isNegated: false } : null;
}

export const mayTakePart = (externalId: string, { share, isNegated }: Exposure): boolean => isInShare(externalId, share) !== isNegated;

/** The part of all players that may take part, from 0 to 1. */
export const partOfExposed = ({ share, isNegated }: Exposure): number => (isNegated ? 10_000 - share.parts : share.parts) / 10_000;
