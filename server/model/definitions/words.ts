import { instantInWords } from "../kernel/dates.ts";
import { pickText } from "../kernel/texts.ts";
import { KINDS } from "./contract.ts";
import type { StoredDefinitions } from "./stored.ts";

/** How explanations for people name definitions and write instants. */
export interface Words {
  /** The name of a definition of any kind; ids are given to all of them together. */
  nameOf(id: number): string;
  /** IANA zone in which instants are written. */
  zone: string;
}

/** Names in the project's language. */
export function wordsOf({ lists }: StoredDefinitions, language: string, zone: string): Words {
  const names = new Map<number, string>();
  for (const kind of KINDS) {
    for (const { id, shaped } of lists[kind]) names.set(id, "name" in shaped ? pickText(shaped.name, language) : shaped.key);
  }
  return { zone, nameOf: (id) => names.get(id) ?? `definition ${id}` };
}

/** "10 Mar 2026, 12:00" on the clocks of the zone. */
export const instantInZone = (instant: number, { zone }: Pick<Words, "zone">): string => instantInWords(instant, zone);
