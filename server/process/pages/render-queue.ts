/** Rendering is work of this one thread: several at once take no less time together, and block everything else. */
const AT_ONCE = 4;
/** One slot is left for others, however many pages a client asks for. */
const MOST_OF_A_CLIENT = 3;
const MOST_WAITING = 400;
const MOST_WAITING_OF_A_CLIENT = 200;
/** A slower one is waiting for something else by then, such as the reader of its answer; the next one starts. */
const LONGEST_MS = 2_000;

/** The pages of one client. */
interface Client {
  underWay: number;
  /** Begins each that waits, in the order they came. */
  waiting: Set<() => void>;
}

/** Lets a few pages be rendered at a time; clients take turns, and the pages of each come in their order. */
export class RenderQueue {
  #underWay = 0;
  #waiting = 0;
  readonly #clients = new Map<string, Client>();

  /** Runs when its turn comes, unless `isGone` by then; false when too many wait already, of all or of this client. */
  async run(render: () => Promise<void>, isGone: () => boolean, name: string): Promise<boolean> {
    const client = this.#clients.get(name) ?? { underWay: 0, waiting: new Set() };
    const isFree = this.#underWay < AT_ONCE && client.underWay < MOST_OF_A_CLIENT;
    if (!isFree && (this.#waiting >= MOST_WAITING || client.waiting.size >= MOST_WAITING_OF_A_CLIENT)) return false;
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
    const patience = setTimeout(release, LONGEST_MS);
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

  /** The slot goes to the client that has waited longest since its last turn. */
  #admitNext(): void {
    for (const [name, client] of this.#clients) {
      const [begin] = client.waiting;
      if (begin === undefined || client.underWay >= MOST_OF_A_CLIENT) continue;
      client.waiting.delete(begin);
      this.#waiting -= 1;
      this.#acquire(client);
      this.#clients.delete(name);
      this.#clients.set(name, client);
      // Yields to other work in between.
      setImmediate(begin);
      return;
    }
  }
}
