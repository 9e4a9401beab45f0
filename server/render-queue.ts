/** Rendering is work of this one thread: more at once take no less time together, and keep everything else from its turn. */
const AT_ONCE = 4;
const MOST_WAITING = 400;
/** Who takes longer waits for something else by then, such as a reader of its answer: the turn goes on to the next. */
const LONGEST_MS = 10_000;

/** Lets a few pages be rendered at a time, first come, first served. */
export class RenderQueue {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  /** Runs when it is its turn, unless `isGone` by then; false when too many wait already. */
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
      // Others have their turn in between.
      setImmediate(next);
    }
  }
}
