import { LRUCache } from "lru-cache";

/**
 * What was made of the definitions of environments: of each environment the version that was last asked for, of all together no more
 * than so many bytes, those used last first. A version that gave way is found for as long as something holds it: a long job and the
 * requests beside it need not make it twice.
 */
export class VersionCache<Value extends object> {
  readonly #latest: LRUCache<string, { name: string; value: Value; bytes: number }>;
  readonly #held = new Map<string, WeakRef<Value>>();

  constructor(maxBytes: number) {
    this.#latest = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => Math.min(maxBytes, 1 + bytes) });
  }

  /** What it keeps, in bytes of JSON. */
  get bytes(): number {
    return this.#latest.calculatedSize;
  }

  get(environment: string, version: string): Value | undefined {
    const name = `${environment}/${version}`;
    const latest = this.#latest.get(environment);
    return latest?.name === name ? latest.value : this.#held.get(name)?.deref();
  }

  set(environment: string, version: string, value: Value, bytes: number): void {
    const name = `${environment}/${version}`;
    this.#latest.set(environment, { name, value, bytes });
    for (const [other, held] of this.#held) if (held.deref() === undefined) this.#held.delete(other);
    this.#held.set(name, new WeakRef(value));
  }
}

/** An environment in this process. Ids of environments repeat from database to database, and a process may use several (tests, the bench): ids of projects never do. */
export const cacheName = ({ projectId, kind }: { projectId: string; kind: string }): string => `${projectId}/${kind}`;
