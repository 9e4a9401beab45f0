import type { DraftFact } from "./facts.ts";

/** The inputs of a trial. */
export interface DraftScene {
  /** Null: a new player without history. */
  player: string | null;
  with: "History" | "Invented";
  /** From when the player is assumed to meet the audience; null: as recorded. */
  from: string | null;
  /** Null until the list was opened: it starts with the facts that the definition reads. */
  facts: DraftFact[] | null;
  /** The typed balance; empty: the player's own. */
  balance: string;
  ignoreAudience: boolean;
}

export const EMPTY_SCENE: DraftScene = { player: null, with: "Invented", from: null, facts: null, balance: "", ignoreAudience: false };
