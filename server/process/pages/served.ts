import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

export interface Answers {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface Pages extends Answers {
  isReady(): boolean;
  /** Settles once pages are served, or rejects with an OperatorError that has the build's output. */
  ready: Promise<void>;
  /** Whether an upgrade request is accepted; any other is answered as plain HTTP. */
  takesUpgrade(request: IncomingMessage): boolean;
  /** Accepts an upgrade: in development, the browser learns of changes over this connection. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): Promise<void>;
}
