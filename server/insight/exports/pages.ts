import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "#db/client.ts";
import { isDistributed } from "#db/scale/state.ts";
import { FIRST_UUID } from "../../model/kernel/stored.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import { type OwnedCursor, type Owner, ownersAfter, type PagedRow, type ReadOwned, type ReadPage } from "./store.ts";

/** Rows held at a time, whatever the length of a list; lists of long rows have smaller pages. */
const PAGE = 1_000;
const OWNERS = 200;
const START: OwnedCursor = { part: -1, playerId: FIRST_UUID, id: FIRST_UUID };

/** Pages of rows as JSON texts. The next page is read once the previous one is taken; no connection is held in between. */
export type ExportPages = AsyncGenerator<readonly string[], void, undefined>;

/** Pauses for as long as a page took, a second at most, so that an export of quick pages uses the database at most half of the time. */
async function* paced<Page>(read: () => Promise<Page | null>): AsyncGenerator<Page, void, undefined> {
  for (;;) {
    const began = performance.now();
    const page = await read();
    if (page === null) return;
    const took = performance.now() - began;
    yield page;
    await delay(Math.min(took, 1_000));
  }
}

const isLast = (rows: readonly PagedRow[], page: number): boolean => rows.length < page && rows.at(-1)?.isFull !== true;

const texts = (rows: readonly PagedRow[]): string[] => rows.map(({ json }) => json);

export async function* pagesOf(sql: Sql, environmentId: number, read: ReadPage, page = PAGE): ExportPages {
  let after: string | null = "";
  yield* paced(async () => {
    if (after === null) return null;
    const rows = await read(sql, environmentId, after, page);
    after = isLast(rows, page) ? null : rows.at(-1)!.place;
    return texts(rows);
  });
}

/** Rows keyed by their owner: for a few owners at a time, all their pages. */
export async function* ownedPages(
  sql: Sql,
  environmentId: number,
  read: ReadOwned,
  { page = PAGE, owners: atOnce = OWNERS }: { page?: number; owners?: number } = {},
): ExportPages {
  const isSpread = await isDistributed(sql);
  let owners: Owner[] = [];
  let last: PlayerKey = { part: -1, playerId: FIRST_UUID };
  let after = START;
  yield* paced(async () => {
    if (owners.length === 0) {
      owners = await ownersAfter(sql, environmentId, last, atOnce);
      if (owners.length === 0) return null;
      last = owners.at(-1)!;
    }
    // Owners are in the order of their parts, so those of the first part come first.
    const onlyPart = isSpread ? owners[0]!.part : null;
    const asked = onlyPart === null ? owners : owners.filter(({ part }) => part === onlyPart);
    const rows: (PagedRow & OwnedCursor)[] = await read(sql, asked, onlyPart, after, page);
    const reached = isLast(rows, page) ? null : rows.at(-1)!;
    owners =
      reached === null
        ? owners.slice(asked.length)
        : owners.filter(({ part, playerId }) => part > reached.part || (part === reached.part && playerId >= reached.playerId));
    after = reached ?? START;
    return texts(rows);
  });
}
