import { ORPCError } from "@orpc/client";

/** Whether the person of the page is signed in. `postponed`: they are not, and want to look at the page first. */
export type SessionState = { kind: "signedIn" | "ended" | "postponed" } | { kind: "somebodyElse"; email: string };

/** One call is made again at most so often: the session of a slow one may end once more. */
const MAX_TRIES = 5;

interface Waiting {
  goOn(): void;
  giveUp(): void;
}

/**
 * The session of the page's person in the browser. A call that finds it ended waits here until they have signed in again, in another
 * window, and is then made again: the service refuses it by its headers, so nothing of it was done. It never goes on as anybody else.
 */
export class PageSession {
  readonly #whoIsSignedIn: () => Promise<string>;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Set<Waiting>();
  #person: string | null = null;
  #state: SessionState = { kind: "signedIn" };
  #looking: Promise<void> | null = null;

  /** `whoIsSignedIn` asks the service for the address of whoever is signed in now; it fails with UNAUTHORIZED where nobody is. */
  constructor(whoIsSignedIn: () => Promise<string>) {
    this.#whoIsSignedIn = whoIsSignedIn;
  }

  /** The address of the person for whom the page was made; null on pages for everybody. */
  get person(): string | null {
    return this.#person;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** A page for this person begins. What waits is of the page before, maybe of somebody else, and fails. */
  begin(person: string): void {
    this.#end(({ giveUp }) => giveUp());
    this.#person = person;
    this.#become({ kind: "signedIn" });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes a call, again once the person has signed in again. What only reads does not ask them once they have postponed it. */
  async call<T>(make: () => Promise<T>, { isRead }: { isRead: boolean }): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await make();
      } catch (error) {
        if (!isSignedOut(error) || this.#person === null || tries === MAX_TRIES) throw error;
        if (isRead && this.#state.kind === "postponed") throw error;
        await new Promise<void>((goOn, giveUp) => {
          this.#waiting.add({ goOn, giveUp: () => giveUp(error) });
          void this.look();
        });
      }
    }
  }

  /** Finds out who is signed in by now, and lets what waits go on where it is the person of the page. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
  }

  /** The person does not sign in now: what waits fails as it did, and whatever they do next asks again. */
  postpone(): void {
    this.#become({ kind: "postponed" });
    this.#end(({ giveUp }) => giveUp());
  }

  async #look(): Promise<void> {
    try {
      const email = await this.#whoIsSignedIn();
      if (email !== this.#person) return this.#become({ kind: "somebodyElse", email });
      this.#become({ kind: "signedIn" });
      this.#end(({ goOn }) => goOn());
    } catch {
      // Signed out, or the service cannot be reached just now. Nothing waits while the person has postponed it.
      if (this.#waiting.size > 0) this.#become({ kind: "ended" });
    }
  }

  #end(how: (one: Waiting) => void): void {
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const one of all) how(one);
  }

  #become(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const isSignedOut = (error: unknown): boolean => error instanceof ORPCError && error.code === "UNAUTHORIZED";
