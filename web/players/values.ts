import { formatted, plural, withThousands } from "../../server/model/kernel/thousands.ts";
import { parseJson, writeJson } from "../../server/model/kernel/json.ts";
import { isJsonObject } from "../../server/model/kernel/values.ts";
import { givenInstantInWords } from "../../server/model/rules/value-words.ts";

/** Manual credits and debits: earned − spent + adjusted is the balance. */
export const adjustedOf = ({ balance, totalGranted, totalSpent }: Record<"balance" | "totalGranted" | "totalSpent", number>): number =>
  balance - totalGranted + totalSpent;

/** "1 point", "1,200 points". */
export const pointsInWords = (points: number): string => plural(points, "point");

/** "+1,200", "−20", "0": a change of a balance. */
export const signedPoints = (points: number): string => `${points > 0 ? "+" : points < 0 ? "−" : ""}${formatted(Math.abs(points))}`;

const NUMBER = /^-?\d+(\.\d+)?$/;
const INSTANT = /^"\d{4}-\d\d-\d\dT[\d:.]+Z"$/;

/** A JSON value, formatted: texts without quotes, instants in a zone. */
export function valueInWords(json: string, timeZone: string): string {
  if (NUMBER.test(json)) return withThousands(json);
  if (INSTANT.test(json)) return givenInstantInWords(json.slice(1, -1), timeZone);
  const value = parseJson(json);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.map((one) => valueInWords(writeJson(one), timeZone)).join(", ");
  return typeof value === "string" ? value : json;
}

/** The members of a JSON object, each formatted. */
export function membersInWords(json: string, timeZone: string): [name: string, value: string][] {
  const value = parseJson(json);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, member]) => [name, valueInWords(writeJson(member), timeZone)]);
}
