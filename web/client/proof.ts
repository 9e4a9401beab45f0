import { ORPCError } from "@orpc/client";

interface Waiting {
  goOn(): void;
  giveUp(): void;
}

/**
 * Sensitive calls whose user has to prove their identity again. They wait for the dialog (auth/confirm-dialog.tsx), and are retried once
 * the user has: the service refused them before it did anything.
 */
export class PageProof {
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Set<Waiting>();

  /** Whether a call waits, and the dialog is open. */
  get isAsked(): boolean {
    return this.#waiting.size > 0;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async call<T>(make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      // Nothing can ask where no dialog is shown.
      if (!(error instanceof ORPCError && error.code === "CONFIRM_IDENTITY") || this.#listeners.size === 0) throw error;
      await new Promise<void>((goOn, giveUp) => {
        this.#waiting.add({ goOn, giveUp: () => giveUp(error) });
        this.#tell();
      });
      return make();
    }
  }

  /** The user has proved their identity: waiting calls are retried. */
  confirmed(): void {
    this.#end(({ goOn }) => goOn());
  }

  /** The user has dismissed the dialog: waiting calls fail with their refusal. */
  dismissed(): void {
    this.#end(({ giveUp }) => giveUp());
  }

  #end(how: (one: Waiting) => void): void {
    const all = [...this.#waiting];
    this.#waiting.clear();
    this.#tell();
    for (const one of all) how(one);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
