import { ORPCError } from "@orpc/server";

/** All of them are held in memory, up to 4 MiB each. */
const MAX_BODIES = 8;
const MAX_OF_A_PERSON = 2;

/**
 * The large bodies held by this process, from before they arrive until they are processed. There is no queue: without a free slot, a body
 * is refused before it arrives.
 */
export class LargeBodies {
  readonly #held = new Map<string, number>();
  #count = 0;

  /**
   * Acquires a slot and returns its release. ORPCErrors: TOO_MANY_REQUESTS (the user's limit), SERVICE_UNAVAILABLE (the process's limit).
   */
  acquire(userId: string): () => void {
    const own = this.#held.get(userId) ?? 0;
    if (own >= MAX_OF_A_PERSON)
      throw new ORPCError("TOO_MANY_REQUESTS", {
        message: `${own} of your files are on their way already. Send this one when they are through.`,
      });
    if (this.#count >= MAX_BODIES)
      throw new ORPCError("SERVICE_UNAVAILABLE", {
        message: "Many large files are on their way right now. Send this one again in a moment.",
      });
    this.#held.set(userId, own + 1);
    this.#count += 1;
    return () => this.#leave(userId);
  }

  #leave(userId: string): void {
    const left = this.#held.get(userId)! - 1;
    if (left === 0) this.#held.delete(userId);
    else this.#held.set(userId, left);
    this.#count -= 1;
  }
}
