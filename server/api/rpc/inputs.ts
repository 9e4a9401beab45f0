import { ORPCError } from "@orpc/server";
import { hasBadText } from "../../model/kernel/json.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";

/** Parses an instant of the input (RFC 3339) to epoch milliseconds; null stays null. Throws an ORPCError. */
export function instantOf(text: string): number;
export function instantOf(text: string | null): number | null;
export function instantOf(text: string | null): number | null {
  const instant = text === null ? null : parseInstant(text);
  if (text !== null && instant === null)
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid time. Write it as 2026-01-31T09:00:00Z." });
  return instant;
}

/** The resolved value. Throws the ORPCError NOT_FOUND with this message if it is null. */
export async function orMissing<Found>(reading: Promise<Found | null>, message: string): Promise<Found> {
  const found = await reading;
  if (found === null) throw new ORPCError("NOT_FOUND", { message });
  return found;
}

/** An instant (epoch milliseconds) as an answer has it: RFC 3339. */
export const instantOrNull = (at: number | null): string | null => (at === null ? null : formatInstant(at));

/** A row whose named instants are RFC 3339 text, as answers have them. */
export const dated = <Row extends object, Key extends keyof Row>(row: Row, ...keys: readonly Key[]) =>
  ({ ...row, ...Object.fromEntries(keys.map((key) => [key, instantOrNull(row[key] as number | null)])) }) as Omit<Row, Key> & {
    [Name in Key]: Row[Name] extends number ? string : string | null;
  };

/** Whether a filter has a text that the database cannot store, which no row matches. */
export const hasBadFilter = (filter: object): boolean =>
  Object.values(filter).some((value) => typeof value === "string" && hasBadText(value));

/** The cursor of a list by start, newest first: the first day of a period; null for the first page. Throws an ORPCError. */
export const startOf = (cursor: string | null): string | null => partsOf(cursor, /^(\d{4}-\d\d-\d\d)$/)?.[0] ?? null;

/** The parts of a cursor, which are the groups of its pattern; null for the first page. Throws an ORPCError. */
export function partsOf(cursor: string | null, pattern: RegExp): string[] | null {
  if (cursor === null) return null;
  const [, ...parts] = pattern.exec(cursor) ?? [];
  if (parts.length === 0) throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return parts;
}
