/** Observes the background work of a process, for its metrics. Its functions return at once and never throw. */
export interface WorkObserver {
  /** A kind of job (server/operations/worker/registry.ts) looks for due rows. */
  lookBegan(job: string): void;
  sliceApplied(slice: { facts: number; seconds: number; byKind: ReadonlyMap<string, number> }): void;
  factQuarantined(): void;
  deliveryAttempted(attempt: { outcome: "Delivered" | "Retried" | "Failed"; seconds: number }): void;
}
