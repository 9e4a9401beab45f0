import { ORPCError } from "@orpc/client";
import { HeldCalls } from "./held-calls.ts";

/** Whether the page's user is signed in. `postponed`: they are not, and dismissed the dialog to look at the page first. */
export type SessionState = { kind: "signedIn" | "ended" | "postponed" } | { kind: "anotherUser"; email: string };

/** Maximum retries of one call: during a slow one the session may end again. */
const MAX_TRIES = 5;

/**
 * The session of the page's user in the browser. A call that finds the session ended waits until the same user has signed in again, in
 * another window, and is then retried: the service rejects it by its headers, so it had no effect. It is never retried as another user.
 */
export class PageSession extends HeldCalls {
  readonly #whoIsSignedIn: () => Promise<string>;
  #person: string | null = null;
  #state: SessionState = { kind: "signedIn" };
  #looking: Promise<void> | null = null;

  /** `whoIsSignedIn` asks the service for the signed-in user's address; it fails with UNAUTHORIZED where there is none. */
  constructor(whoIsSignedIn: () => Promise<string>) {
    super();
    this.#whoIsSignedIn = whoIsSignedIn;
  }

  /** The address of the user for whom the page was rendered; null on public pages. */
  get person(): string | null {
    return this.#person;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** A page for this user begins. Waiting calls belong to the previous page, possibly another user's, and fail. */
  begin(person: string): void {
    this.end("giveUp");
    this.#person = person;
    this.#become({ kind: "signedIn" });
  }

  /** Makes a call, and retries it after a new sign-in. Reads do not ask again once the user has postponed it. */
  async call<T>(make: () => Promise<T>, { isRead }: { isRead: boolean }): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await make();
      } catch (error) {
        if (!isSignedOut(error) || this.#person === null || tries === MAX_TRIES) throw error;
        if (isRead && this.#state.kind === "postponed") throw error;
        const held = this.hold(error);
        void this.look();
        await held;
      }
    }
  }

  /** Checks who is signed in, and releases waiting calls if it is the page's user. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
  }

  /** The user dismisses the dialog: waiting calls fail with their original error, and the user's next action asks again. */
  postpone(): void {
    this.#become({ kind: "postponed" });
    this.end("giveUp");
  }

  async #look(): Promise<void> {
    try {
      const email = await this.#whoIsSignedIn();
      if (email !== this.#person) return this.#become({ kind: "anotherUser", email });
      this.#become({ kind: "signedIn" });
      this.end("goOn");
    } catch {
      // Signed out, or the service is unreachable. No call waits while the sign-in is postponed.
      if (this.isAnyHeld) this.#become({ kind: "ended" });
    }
  }

  #become(state: SessionState): void {
    this.#state = state;
    this.tell();
  }
}

const isSignedOut = (error: unknown): boolean => error instanceof ORPCError && error.code === "UNAUTHORIZED";
