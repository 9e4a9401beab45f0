import type { Definitions } from "../definitions/compiled.ts";
import type { PlayerKey } from "../players/identity.ts";
import { type AcceptedItem, type JudgedItem, judgeItem } from "./items.ts";
import { type Find, KnownEvents } from "./known.ts";

/** An item that would define something. `key` is its place in the log where it has an idempotency key. */
interface Finder {
  item: unknown;
  key: (PlayerKey & { id: string }) | null;
}

export interface JudgedBatch {
  /** In the order sent. */
  judged: JudgedItem[];
  /** Where there are any, nothing is written before what they found is defined, and the batch judged again. */
  finders: Finder[];
  found: KnownEvents["found"];
}

/**
 * Judges a batch item by item, each by the definitions and by what those before it have found (api.md 4.1, rule 3).
 * `replays` are ids that the log is known to have: who replays an event, of the log or of this batch, defines nothing.
 */
export function judgeBatch(
  items: readonly unknown[],
  definitions: Pick<Definitions, "eventsByKey" | "room">,
  environmentId: number,
  mayHoldBadText: boolean,
  replays: ReadonlySet<string>,
): JudgedBatch {
  const known = new KnownEvents(definitions);
  const judged: JudgedItem[] = [];
  const finders: Finder[] = [];
  for (const item of items) {
    const one = judgeItem(item, known, environmentId, mayHoldBadText);
    judged.push("errors" in one || one.find === null ? one : takeFind(one.accepted, one.find, item));
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
