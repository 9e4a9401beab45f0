import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

export interface Answers {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** The pages that Next serves. */
export interface Pages extends Answers {
  isReady(): boolean;
  /** Settled when pages are served, or cannot be: an OperatorError with what the build said. */
  ready: Promise<void>;
  /** Whether a request to upgrade its connection is honoured; any other is answered without the upgrade. */
  takesUpgrade(request: IncomingMessage): boolean;
  /** The path that tells the browser of changes, in development. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): Promise<void>;
}
