import { LRUCache } from "lru-cache";

/**
 * An LRU cache, bounded in bytes, of values derived from definitions: the last requested version of each environment. An evicted version is
 * still found while something references it, so that a long job and concurrent requests do not build it twice.
 */
export class VersionCache<Value extends object> {
  readonly #latest: LRUCache<string, { name: string; value: Value; bytes: number }>;
  readonly #held = new Map<string, WeakRef<Value>>();

  constructor(maxBytes: number) {
    this.#latest = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => Math.min(maxBytes, 1 + bytes) });
  }

  /** Bytes of JSON that the cached values stand for. */
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

/**
 * Identifies an environment in this process. A process may use several databases (tests, the bench), and ids of environments repeat between
 * them; ids of projects do not.
 */
export const cacheName = ({ projectId, kind }: { projectId: string; kind: string }): string => `${projectId}/${kind}`;
