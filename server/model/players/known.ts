/**
 * Players this process has seen committed, so that an ingest inserts only those that may be new. Bounded: a full generation becomes the old
 * one and the old one is forgotten, which costs at most an insert that finds its row there. A player is known by how often their
 * environment had been reset then: after the next reset they are unknown again.
 */
export class KnownPlayers {
  private recent = new Map<string, number>();
  private older = new Map<string, number>();
  private readonly generation: number;

  constructor(generation = 50_000) {
    this.generation = generation;
  }

  has(playerId: string, resets: number): boolean {
    return this.recent.get(playerId) === resets || (this.older.get(playerId) === resets && this.add(playerId, resets));
  }

  /** Call only once the player's row is committed, with the resets that it was written under. */
  add(playerId: string, resets: number): true {
    if (this.recent.size >= this.generation) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(playerId, resets);
    return true;
  }
}
