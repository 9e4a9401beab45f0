const LEVELS = 24;
/** The chance that a node is also on the next higher level. */
const CHANCE_OF_NEXT_LEVEL = 0.25;

interface Node {
  id: string;
  score: number;
  /** The next node on each level, and the number of lowest-level steps to it. */
  next: (Node | null)[];
  span: number[];
}

/**
 * Ranks in memory, as some engines keep them beside their table: a skip list ordered by score, highest first, whose links store how many
 * nodes they skip.
 */
export class RankCache {
  readonly #head: Node = { id: "", score: Infinity, next: new Array<null>(LEVELS).fill(null), span: new Array<number>(LEVELS).fill(0) };
  readonly #scores = new Map<string, number>();

  get size(): number {
    return this.#scores.size;
  }

  scoreOf(id: string): number | undefined {
    return this.#scores.get(id);
  }

  set(id: string, score: number): void {
    const known = this.#scores.get(id);
    if (known === score) return;
    if (known !== undefined) this.#remove(id, known);
    this.#scores.set(id, score);
    this.#insert(id, score);
  }

  /** The number of higher scores. */
  above(score: number): number {
    let [node, position] = [this.#head, 0];
    for (let level = LEVELS - 1; level >= 0; level--)
      for (let next = node.next[level]; next && next.score > score; next = node.next[level]) {
        position += node.span[level]!;
        node = next;
      }
    return position;
  }

  /** `count` ids in rank order, beginning at position `from`, counted from 0. */
  slice(from: number, count: number): string[] {
    let [node, position] = [this.#head, 0];
    for (let level = LEVELS - 1; level >= 0; level--)
      for (let next = node.next[level]; next && position + node.span[level]! <= from; next = node.next[level]) {
        position += node.span[level]!;
        node = next;
      }
    const ids: string[] = [];
    for (let next = node.next[0]; next && ids.length < count; next = next.next[0]) ids.push(next.id);
    return ids;
  }

  /** On each level the last node that ranks before this id and score, and its position. */
  #before(id: string, score: number) {
    const path: Node[] = [];
    const positions: number[] = [];
    let [node, position] = [this.#head, 0];
    for (let level = LEVELS - 1; level >= 0; level--) {
      for (let next = node.next[level]; next && (next.score > score || (next.score === score && next.id < id)); next = node.next[level]) {
        position += node.span[level]!;
        node = next;
      }
      path[level] = node;
      positions[level] = position;
    }
    return { path, positions };
  }

  #insert(id: string, score: number): void {
    const { path, positions } = this.#before(id, score);
    let height = 1;
    while (height < LEVELS && Math.random() < CHANCE_OF_NEXT_LEVEL) height++;
    const node: Node = { id, score, next: [], span: [] };
    for (let level = 0; level < LEVELS; level++) {
      const before = path[level]!;
      const stepsFromBefore = positions[0]! - positions[level]!;
      if (level >= height) {
        before.span[level]!++;
        continue;
      }
      node.next[level] = before.next[level]!;
      node.span[level] = before.span[level]! - stepsFromBefore;
      before.next[level] = node;
      before.span[level] = stepsFromBefore + 1;
    }
  }

  #remove(id: string, score: number): void {
    const { path } = this.#before(id, score);
    const node = path[0]!.next[0]!;
    for (let level = 0; level < LEVELS; level++) {
      const before = path[level]!;
      if (before.next[level] === node) {
        before.next[level] = node.next[level]!;
        before.span[level] = before.span[level]! + node.span[level]! - 1;
      } else before.span[level]!--;
    }
  }
}
