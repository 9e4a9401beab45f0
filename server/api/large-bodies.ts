import { ORPCError } from "@orpc/server";

/** All of them are held in memory, up to 4 MiB each. */
const MAX_BODIES = 8;
const MAX_OF_A_PERSON = 2;

/**
 * The large bodies held by this process, from before they arrive until they are processed. There is no queue: without a free slot, a body
 * is refused before it arrives.
 */
export class LargeBodies {
  /** The person of each. */
  readonly #held: string[] = [];

  /**
   * Acquires a slot and returns its release. ORPCErrors: TOO_MANY_REQUESTS (the user's limit), SERVICE_UNAVAILABLE (the process's limit).
   */
  acquire(userId: string): () => void {
    const own = this.#held.filter((one) => one === userId).length;
    if (own >= MAX_OF_A_PERSON)
      throw new ORPCError("TOO_MANY_REQUESTS", {
        message: `${own} of your files are still being uploaded. Send this one when they are done.`,
      });
    if (this.#held.length >= MAX_BODIES)
      throw new ORPCError("SERVICE_UNAVAILABLE", {
        message: "Many large files are being uploaded right now. Send this one again in a moment.",
      });
    this.#held.push(userId);
    return () => void this.#held.splice(this.#held.indexOf(userId), 1);
  }
}
