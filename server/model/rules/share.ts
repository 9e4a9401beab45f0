import { z } from "zod";
import { Decimal, numberFits, type Numeric } from "../kernel/decimal.ts";
import { hashStart } from "../kernel/sha256.ts";
import { isNumeric } from "../kernel/values.ts";
import { type DefinitionKind, issueText, mistake } from "./finding.ts";
import { type Phrase, missing, say, valued } from "./phrase.ts";
import { codePoints, MAX_TEXT_LENGTH, must, optional } from "./shapes.ts";
import { canonicalValue } from "./value.ts";
import { numberInWords, scalarInWords } from "./value-words.ts";

/**
 * A percentage of all players, by a stable hash of the player's id: raising it keeps everyone who was in, and shares with different salts
 * are independent of each other.
 */

/** A percentage has at most two decimals: a share is a whole number of these parts. */
const PARTS = 10_000;
const PARTS_IN_PERCENT = 100;

const percentage = z
  .custom<Numeric>(
    (share) =>
      isNumeric(share) &&
      numberFits(share) &&
      Decimal.of(share).compare(0) >= 0 &&
      Decimal.of(share).compare(100) <= 0 &&
      Decimal.of(share).round(2).compare(share) === 0,
    { error: () => issueText(mistake("shape.percentage")) },
  )
  .meta({ type: "number", minimum: 0, maximum: 100 });

const salt = z
  .string(must("shape.string"))
  .refine((text) => !/\p{Cc}/u.test(text), must("shape.control_character"))
  .refine((text) => codePoints(text) <= MAX_TEXT_LENGTH, must("shape.text_long", { most: MAX_TEXT_LENGTH }));

export const shareShape = z.strictObject({ share: percentage, salt: optional(salt) });
export type ShareShape = z.output<typeof shareShape>;

/** A share as a form holds it. */
export interface ShareDraft {
  share: Numeric | null;
  salt: string | null;
}

/** A compiled share. */
export interface Share {
  kind: "share";
  /** The number of the 10,000 parts that are included. */
  parts: number;
  salt: string;
}

/** The definition that has a condition. */
export interface RuleOwner {
  kind: DefinitionKind;
  key: string;
}

export const canonicalShare = (rule: ShareShape): ShareShape => ({ ...rule, share: canonicalValue("Number", rule.share) });

export const compileShare = ({ share, salt: given }: ShareShape, { kind, key }: RuleOwner): Share => ({
  kind: "share",
  parts: Decimal.of(share).times(PARTS_IN_PERCENT).toNumber(),
  salt: given ?? `${kind}:${key}`,
});

/** The part that a player falls into, from 0 to 9,999: the first eight bytes of the hash as a fraction of 2^64, times 10,000, cut off. */
export function partOf(externalId: string, salted: string): number {
  const { high, low } = hashStart(`${salted}\0${externalId}`);
  // In two halves, which are exact as doubles.
  return Math.floor((high * PARTS + Math.floor((low * PARTS) / 2 ** 32)) / 2 ** 32);
}

export const isInShare = (externalId: string, share: Share): boolean => partOf(externalId, share.salt) < share.parts;

/** "they are in a share of 25% of players". */
export function sharePhrase({ share, salt: given }: ShareDraft): Phrase {
  const percent = share === null ? missing("…") : valued(`${numberInWords(share)}%`);
  const salted = given === null || given === undefined ? [] : say` with the salt ${valued(scalarInWords(given, "String", "UTC"))}`;
  return say`they are in a share of ${percent} of players${salted}`;
}

const inPercent = (parts: number): string => `${numberInWords(Decimal.of(parts).dividedBy(PARTS_IN_PERCENT, 2))}%`;

/** "Share by “missions:weekend”: at 61.37%, needs to be less than 25%". */
export const shareText = (externalId: string, { parts, salt: salted }: Share): string =>
  `Share by “${salted}”: at ${inPercent(partOf(externalId, salted))}, needs to be less than ${inPercent(parts)}`;
