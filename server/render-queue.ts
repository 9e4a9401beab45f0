/** Rendering is work of this one thread: several at once take no less time together, and block everything else. */
const AT_ONCE = 4;
const MOST_WAITING = 400;
/** A slower one is waiting for something else by then, such as the reader of its answer; the next one starts. */
const LONGEST_MS = 2_000;

/** Lets a few pages be rendered at a time, first come, first served. */
export class RenderQueue {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  /** Runs when its turn comes, unless `isGone` by then; false when too many wait already. */
  async run(render: () => Promise<void>, isGone: () => boolean): Promise<boolean> {
    if (this.#underWay >= AT_ONCE) {
      if (this.#waiting.size >= MOST_WAITING) return false;
      await new Promise<void>((begin) => this.#waiting.add(begin));
    } else this.#underWay += 1;
    if (isGone()) {
      this.#passOn();
      return true;
    }
    let isHeld = true;
    const passOn = () => {
      if (isHeld) this.#passOn();
      isHeld = false;
    };
    const patience = setTimeout(passOn, LONGEST_MS);
    try {
      await render();
    } finally {
      clearTimeout(patience);
      passOn();
    }
    return true;
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#underWay -= 1;
    else {
      this.#waiting.delete(next);
      // Yields to other work in between.
      setImmediate(next);
    }
  }
}
