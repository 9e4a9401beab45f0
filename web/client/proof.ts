import { ORPCError } from "@orpc/client";
import { HeldCalls } from "./held-calls.ts";

/**
 * Sensitive calls whose user has to prove their identity again. They wait for the dialog (auth/confirm-dialog.tsx) and are then retried,
 * since the service refused them before they had any effect.
 */
export class PageProof extends HeldCalls {
  async call<T>(make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      // Without a dialog on the page, the user cannot be asked.
      if (!(error instanceof ORPCError && error.code === "CONFIRM_IDENTITY") || !this.isHeard) throw error;
      const held = this.hold(error);
      this.tell();
      await held;
      return make();
    }
  }

  /** The user has proved their identity: waiting calls are retried. */
  confirmed(): void {
    this.end("goOn");
    this.tell();
  }

  /** The user has dismissed the dialog: waiting calls fail with their refusal. */
  dismissed(): void {
    this.end("giveUp");
    this.tell();
  }
}
