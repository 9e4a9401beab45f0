/** Calls that wait for an action of the user in the page, and the listeners to their state. */
export class HeldCalls {
  readonly #listeners = new Set<() => void>();
  readonly #held = new Set<{ goOn(): void; giveUp(): void }>();

  get isAnyHeld(): boolean {
    return this.#held.size > 0;
  }

  protected get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Waits until the calls continue; fails with `error` if they are given up. */
  protected hold(error: unknown): Promise<void> {
    return new Promise((goOn, giveUp) => this.#held.add({ goOn, giveUp: () => giveUp(error) }));
  }

  protected end(how: "goOn" | "giveUp"): void {
    const all = [...this.#held];
    this.#held.clear();
    for (const one of all) one[how]();
  }
}
