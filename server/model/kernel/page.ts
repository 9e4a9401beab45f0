/** A page of `limit` rows, and the last of them as the next page's cursor, null at the end. `rows` has one more if there is a next page. */
export function pageOf<Row>(rows: readonly Row[], limit: number): { page: Row[]; next: Row | null } {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? page.at(-1)! : null };
}
