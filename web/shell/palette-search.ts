import type { LucideIcon } from "lucide-react";

export interface PaletteEntry {
  label: string;
  icon: LucideIcon;
  /** The page that it opens, or its action. */
  href?: string;
  act?(): void;
  /** Its kind, at the end of the row. */
  aside?: string;
  /** More search terms. */
  keywords?: string;
  /** Matched by the service, by its own criteria. */
  isFound?: boolean;
}

export interface PaletteGroup {
  heading: string;
  items: readonly PaletteEntry[];
}

/** The groups that match a query, best first: entries within their group, groups by their best entry. All of them without a query. */
export function rankedGroups(groups: readonly PaletteGroup[], query: string): PaletteGroup[] {
  const wanted = searchWords(query);
  if (wanted.length === 0) return groups.filter(({ items }) => items.length > 0);
  const scored = groups.map(({ heading, items }) => {
    const fitting = items.map((entry) => ({ entry, score: scoreOf(entry, wanted) })).filter(({ score }) => score > 0);
    fitting.sort((one, other) => other.score - one.score);
    return { heading, items: fitting.map(({ entry }) => entry), best: fitting[0]?.score ?? 0 };
  });
  return scored
    .filter(({ best }) => best > 0)
    .sort((one, other) => other.best - one.best)
    .map(({ heading, items }) => ({ heading, items }));
}

/** Score of an entry for a query: a whole keyword scores higher than a prefix; 0 is no match. */
export function scoreOf({ label, keywords = "", isFound = false }: PaletteEntry, wanted: readonly string[]): number {
  const name = label.toLowerCase();
  const all = `${name} ${keywords.toLowerCase()}`;
  if (name.startsWith(wanted.join(" "))) return 5;
  if (wanted.every((word) => beginsWord(name, word))) return 4;
  if (wanted.every((word) => searchWords(keywords).includes(word))) return 3.5;
  if (wanted.every((word) => beginsWord(all, word))) return 3;
  if (wanted.every((word) => all.includes(word))) return 2;
  return isFound || holdsInOrder(name, wanted.join("")) ? 1 : 0;
}

export const searchWords = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

const beginsWord = (text: string, word: string): boolean => text.split(/[\s_-]+/).some((one) => one.startsWith(word));

/** Subsequence match: "adlg" finds "Audit log". */
function holdsInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
