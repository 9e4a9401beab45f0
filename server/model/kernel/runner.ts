/** A kind of work under way in this process. */
export interface Runner {
  /** There may be something to do. */
  wake(): void;
  /** Takes no new work, finishes its running work. */
  stop(): Promise<void>;
}

/** A runner of one kind of work, which also counts its progress. */
export interface KindRunner extends Runner {
  /** Resolves when a look that began after this call has found nothing due, and no work is running. */
  idle(): Promise<void>;
  /** The number of facts, deliveries, … that this runner has processed. */
  done(): number;
}

/** The log of background work: warnings for transient faults, errors for faults that need an operator. */
export interface WorkLog {
  error: LogLine;
  warn: LogLine;
}

type LogLine = (fields: object, message: string) => void;

/** The options that every runner has. */
export interface Looking {
  /** Called at each look for work. */
  onLook?: () => void;
}

/** The callers that wait for a runner to be idle. */
export class Idle {
  #waiting: PromiseWithResolvers<void> | null = null;
  readonly #onLook: (() => void) | undefined;

  constructor(onLook?: () => void) {
    this.#onLook = onLook;
  }

  wait(): Promise<void> {
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  get isAwaited(): boolean {
    return this.#waiting !== null;
  }

  /** Called when a poll begins; calling its result resolves the callers that waited by then, when it found nothing. */
  look(): () => void {
    this.#onLook?.();
    const waiting = this.#waiting;
    return () => {
      waiting?.resolve();
      if (this.#waiting === waiting) this.#waiting = null;
    };
  }
}
