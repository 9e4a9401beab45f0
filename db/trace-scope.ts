import { AsyncLocalStorage } from "node:async_hooks";

/** The current spans, which stores write with facts and deliveries: W3C `traceparent`s. */
export interface TraceScope {
  /** The span of a player's work, or of work without a player; null if none is recorded. */
  traceparentOf(playerExternalId: string | null): string | null;
}

const scopes = new AsyncLocalStorage<TraceScope>();

/** Runs work with these spans. Outside of it stores write no spans. */
export const withTraceScope = <T>(scope: TraceScope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work);

export const currentTraceScope = (): TraceScope | undefined => scopes.getStore();
