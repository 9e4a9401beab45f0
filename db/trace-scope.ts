import { AsyncLocalStorage } from "node:async_hooks";

/** The spans of what runs now, as stores write them beside facts and deliveries: W3C `traceparent`s. */
export interface TraceScope {
  /** The span of what is about a player, or about nobody in particular; null where none is recorded. */
  traceparentOf(playerExternalId: string | null): string | null;
}

const scopes = new AsyncLocalStorage<TraceScope>();

/** Runs work with these spans. Without a call of this nothing is carried and stores write as if there were no traces. */
export const withTraceScope = <T>(scope: TraceScope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work);

export const currentTraceScope = (): TraceScope | undefined => scopes.getStore();
