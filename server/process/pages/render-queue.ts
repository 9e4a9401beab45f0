/** Rendering is CPU work on one thread: more in parallel would not be faster, and would block everything else. */
const AT_ONCE = 4;
/** Leaves one slot for others, however many pages a client requests. */
const MAX_OF_A_CLIENT = 3;
const MAX_WAITING = 400;
const MAX_WAITING_OF_A_CLIENT = 200;
/** A render slower than this is waiting for something else, such as its reader; the next one starts. */
const MAX_MS = 2_000;

interface Client {
  underWay: number;
  /** The starts of waiting renders, in order of arrival. */
  waiting: Set<() => void>;
}

/** Renders a few pages at a time; clients take turns, and each client's pages come in order. */
export class RenderQueue {
  #underWay = 0;
  #waiting = 0;
  readonly #clients = new Map<string, Client>();

  /** Renders in turn, unless `isGone` by then; false if too many wait already, in all or of this client. */
  async run(render: () => Promise<void>, isGone: () => boolean, name: string): Promise<boolean> {
    const client = this.#clients.get(name) ?? { underWay: 0, waiting: new Set() };
    const isFree = this.#underWay < AT_ONCE && client.underWay < MAX_OF_A_CLIENT;
    if (!isFree && (this.#waiting >= MAX_WAITING || client.waiting.size >= MAX_WAITING_OF_A_CLIENT)) return false;
    this.#clients.set(name, client);
    if (isFree) this.#acquire(client);
    else await this.#turnOf(client);
    if (isGone()) {
      this.#release(name, client);
      return true;
    }
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#release(name, client);
      isHeld = false;
    };
    const patience = setTimeout(release, MAX_MS);
    try {
      await render();
    } finally {
      clearTimeout(patience);
      release();
    }
    return true;
  }

  #turnOf({ waiting }: Client): Promise<void> {
    this.#waiting += 1;
    return new Promise<void>((begin) => waiting.add(begin));
  }

  #acquire(client: Client): void {
    client.underWay += 1;
    this.#underWay += 1;
  }

  #release(name: string, client: Client): void {
    client.underWay -= 1;
    this.#underWay -= 1;
    this.#admitNext();
    if (client.underWay === 0 && client.waiting.size === 0) this.#clients.delete(name);
  }

  /** The slot goes to the client whose last turn was longest ago. */
  #admitNext(): void {
    for (const [name, client] of this.#clients) {
      const [begin] = client.waiting;
      if (begin === undefined || client.underWay >= MAX_OF_A_CLIENT) continue;
      client.waiting.delete(begin);
      this.#waiting -= 1;
      this.#acquire(client);
      this.#clients.delete(name);
      this.#clients.set(name, client);
      // Yields to other work between renders.
      setImmediate(begin);
      return;
    }
  }
}
