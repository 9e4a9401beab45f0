import type { DraftFact } from "./facts.ts";

/** What somebody has filled in to try something with. */
export interface DraftScene {
  /** Null: somebody who has done nothing yet. */
  player: string | null;
  with: "History" | "Invented";
  /** From when on the player is taken to meet it; null: as it was. */
  from: string | null;
  /** Null until somebody has seen the list: it begins with what the definition looks at. */
  facts: DraftFact[] | null;
  /** What is typed for the points to have; empty: the player's own. */
  balance: string;
  ignoreAudience: boolean;
}

export const EMPTY_SCENE: DraftScene = { player: null, with: "Invented", from: null, facts: null, balance: "", ignoreAudience: false };
