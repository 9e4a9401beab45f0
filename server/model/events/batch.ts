import type { Definitions } from "../definitions/compiled.ts";
import type { PlayerKey } from "../players/identity.ts";
import { MAX_LISTED } from "../kernel/problem.ts";
import { type AcceptedItem, type JudgedItem, type Judging, openItem } from "./items.ts";
import { type Find, KnownEvents } from "./known.ts";

/** An item that would define something. `key` identifies it in the log if it has an idempotency key. */
interface Finder {
  item: unknown;
  key: (PlayerKey & { id: string }) | null;
}

export interface JudgedBatch {
  /** The results of the items, in the order sent. */
  judged: JudgedItem[];
  /** The items with discoveries. If there are any, these must be defined and the batch judged again before anything is written. */
  finders: Finder[];
  found: KnownEvents["found"];
}

/** The most problems of a batch that are reported besides the first of each item. */
const MAX_FURTHER_LISTED = 1_000;

/**
 * Judges a batch item by item against the definitions and the discoveries of earlier items. Each item is at least one step. `replays` are
 * ids that are already in the log: a replayed event, of the log or of this batch, defines nothing.
 */
export function* judgeBatch(
  items: readonly unknown[],
  definitions: Pick<Definitions, "eventsByKey" | "budget">,
  judging: Judging,
  replays: ReadonlySet<string>,
): Generator<void, JudgedBatch> {
  const known = new KnownEvents(definitions);
  const judged: JudgedItem[] = [];
  const finders: Finder[] = [];
  let further = MAX_FURTHER_LISTED;
  for (const item of items) {
    const open = openItem(item, known, judging, Math.min(MAX_LISTED, 1 + further));
    while (open.properties?.step() === false) yield;
    const one = open.close();
    if ("errors" in one) further = Math.max(0, further - Math.max(0, one.errors.length - 1));
    judged.push("errors" in one || one.find === null ? one : takeFind(one.accepted, one.find, item));
    yield;
  }
  return { judged, finders, found: known.found };

  function takeFind(accepted: AcceptedItem, find: Find, item: unknown): JudgedItem {
    const { part, playerId, id } = accepted;
    const key = id === null ? null : { part, playerId, id };
    if (key !== null && (replays.has(key.id) || isAmong(judged, key.id))) return { errors: [], replayOf: key };
    known.add(find);
    finders.push({ item, key });
    return { accepted, find };
  }
}

const isAmong = (judged: readonly JudgedItem[], id: string): boolean => judged.some((one) => "accepted" in one && one.accepted.id === id);
