/** Concurrent work that can be paused: running work is finished first. */
export class Traffic {
  #held: PromiseWithResolvers<void> | null = null;
  #underWay = 0;
  #through: PromiseWithResolvers<void> | null = null;
  #isOver = false;

  /** Repeats work, with a rest after each, until stopped. */
  async keepDoing(something: () => Promise<void>, rest: () => Promise<unknown>): Promise<void> {
    for (;;) {
      await this.#held?.promise;
      if (this.#isOver) return;
      this.#underWay += 1;
      try {
        await something();
      } finally {
        this.#underWay -= 1;
        if (this.#underWay === 0) this.#through?.resolve();
      }
      await rest();
    }
  }

  /** Starts nothing more; resolves once all running work has ended. */
  async pause(): Promise<void> {
    this.#held ??= Promise.withResolvers();
    this.#through = Promise.withResolvers();
    if (this.#underWay > 0) await this.#through.promise;
  }

  resume(): void {
    this.#held?.resolve();
    this.#held = null;
  }

  end(): void {
    this.#isOver = true;
    this.resume();
  }
}
