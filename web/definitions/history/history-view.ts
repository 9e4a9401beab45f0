/** View state of a history in its URL: the page of the list, and the two versions compared. */
export interface HistoryView {
  /** Lists versions below this number; null: from the newest. */
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

/** The two versions to compare: from the address, or the newest and its predecessor. 0 is before the first. */
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
