/** What the address of a history says: the page of its list, and the two versions that are compared. */
export interface HistoryView {
  /** Versions below this number are listed; null: from the newest on. */
  before: string | null;
  from: number | null;
  to: number | null;
}

type Search = Record<string, string | string[] | undefined>;

export const viewOf = (search: Search): HistoryView => ({
  before: digits(search.before),
  from: numberIn(search.from),
  to: numberIn(search.to),
});

const digits = (value: string | string[] | undefined): string | null =>
  typeof value === "string" && /^\d{1,9}$/.test(value) ? value : null;

const numberIn = (value: string | string[] | undefined): number | null => {
  const found = digits(value);
  return found === null ? null : Number(found);
};

/** The two versions to compare: those of the address, or what the newest one changed. 0 is before the first. */
export function pairOf({ from, to }: HistoryView, newest: number): { from: number; to: number } {
  const last = to ?? newest;
  return { from: from ?? last - 1, to: last };
}

/** The address of a view, relative to the page. */
export function hrefOf({ before, from, to }: HistoryView): string {
  const search = new URLSearchParams();
  if (before !== null) search.set("before", before);
  if (from !== null) search.set("from", String(from));
  if (to !== null) search.set("to", String(to));
  return `?${search.toString()}`;
}
