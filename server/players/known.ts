/**
 * Players this process has seen committed, so that an ingest inserts only those that may be new. Bounded: a full
 * generation becomes the old one and the old one is forgotten, which costs at most an insert that finds its row there.
 */
export class KnownPlayers {
  private recent = new Set<string>();
  private older = new Set<string>();
  private readonly generation: number;

  constructor(generation = 50_000) {
    this.generation = generation;
  }

  has(playerId: string): boolean {
    return this.recent.has(playerId) || (this.older.has(playerId) && this.add(playerId));
  }

  /** Call only once the player's row is committed. */
  add(playerId: string): true {
    if (this.recent.size >= this.generation) {
      this.older = this.recent;
      this.recent = new Set();
    }
    this.recent.add(playerId);
    return true;
  }
}
