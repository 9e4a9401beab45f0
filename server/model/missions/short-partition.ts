import type { MissionState, PartitionState } from "../kernel/player.ts";

const COMMA = 44;
const ZERO = 48;
const NINE = 57;
const OPEN = 91;
const CLOSE = 93;

/**
 * Reads the stored form of a partition in which every mission is short and each objective a number alone (`state.ts`); null for any other.
 * Nearly all are of this form, and it is read for every fact: without the arrays that `JSON.parse` makes on the way it takes half the time.
 */
export function readShortPartition(text: string): PartitionState | null {
  return new ShortReader(text).read();
}

class ShortReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): PartitionState | null {
    if (!this.#takes(OPEN) || !this.#takes(OPEN)) return null;
    const accepts: { seq: number; at: number }[] = [];
    while (!this.#takes(CLOSE)) {
      if (accepts.length > 0 && !this.#takes(COMMA)) return null;
      const at = this.#number();
      if (!this.#takes(COMMA)) return null;
      const seq = this.#number();
      if (Number.isNaN(at) || Number.isNaN(seq)) return null;
      accepts.push({ seq, at });
    }
    const partition = new Map<number, MissionState>();
    while (this.#takes(COMMA)) {
      if (!this.#takes(OPEN)) return null;
      const missionId = this.#number();
      if (!this.#takes(COMMA)) return null;
      const accepted = accepts[this.#number()];
      if (accepted === undefined || !this.#takes(COMMA)) return null;
      const first = this.#number();
      if (Number.isNaN(missionId) || Number.isNaN(first)) return null;
      // The array gets its exact length: one that is pushed to reserves room for 17.
      let objectives = [{ isSatisfied: false, counters: [{ value: first }] }];
      while (!this.#takes(CLOSE)) {
        if (!this.#takes(COMMA)) return null;
        const value = this.#number();
        if (Number.isNaN(value)) return null;
        objectives = [...objectives, { isSatisfied: false, counters: [{ value }] }];
      }
      partition.set(missionId, { live: [{ number: 0, startedAt: accepted.at, accepted, period: null, objectives }], last: null });
    }
    return this.#takes(CLOSE) && this.#at === this.#text.length ? partition : null;
  }

  #takes(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  /** The number that ends at the next comma or bracket; NaN for anything else. */
  #number(): number {
    const start = this.#at;
    let value = 0;
    let code = this.#text.charCodeAt(this.#at);
    while (code >= ZERO && code <= NINE) {
      value = value * 10 + (code - ZERO);
      code = this.#text.charCodeAt(++this.#at);
    }
    if ((code === COMMA || code === CLOSE) && this.#at > start && this.#at - start < 16) return value;
    while (code !== COMMA && code !== CLOSE && this.#at < this.#text.length) code = this.#text.charCodeAt(++this.#at);
    return this.#at === start ? Number.NaN : Number(this.#text.slice(start, this.#at));
  }
}
