/** A group's requests that wait for the next statement, and the number of its running statements. */
interface Group<Asked, Answer> {
  gathered: Waiting<Asked, Answer>[];
  underWay: number;
  holding: NodeJS.Timeout | undefined;
}

interface Waiting<Asked, Answer> extends PromiseWithResolvers<Answer> {
  asked: Asked;
}

interface Shared<Asked, Answer> {
  /** Requests of the same group can share a statement. */
  groupOf(asked: Asked): string;
  /** Requests per statement. A full batch is sent without waiting, even while another one runs. */
  most: number;
  /** Requests are batched once this many statements of their group are running; 1 unless given. */
  atOnce?: number;
  /**
   * Sends one statement. Returns the results in the order of the requests; a result may be a promise, so that a request can be retried
   * alone.
   */
  ask(asked: readonly Asked[]): Promise<readonly (Answer | Promise<Answer>)[]>;
}

/** The longest wait for an earlier statement: one that hangs on a broken connection delays its group no longer. */
const HELD_MS = 20;

/**
 * Batches requests to the database: those that arrive while `atOnce` statements are running share the next one. A statement is always sent
 * after its requests arrived, so each sees data as recent as a statement of its own would. A single request does not wait. If a statement
 * fails, all its requests fail.
 */
export function askTogether<Asked, Answer>({ groupOf, most, atOnce = 1, ask }: Shared<Asked, Answer>): (asked: Asked) => Promise<Answer> {
  const groups = new Map<string, Group<Asked, Answer>>();

  async function send(name: string, group: Group<Asked, Answer>): Promise<void> {
    clearTimeout(group.holding);
    const sent = group.gathered;
    if (sent.length === 0) return;
    group.gathered = [];
    group.underWay += 1;
    try {
      const answers = await ask(sent.map(({ asked }) => asked));
      for (const [at, { resolve }] of sent.entries()) resolve(answers[at]!);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    } finally {
      group.underWay -= 1;
      if (group.gathered.length > 0) setImmediate(() => void send(name, group));
      else if (group.underWay === 0) groups.delete(name);
    }
  }

  return (asked) => {
    const name = groupOf(asked);
    let group = groups.get(name);
    if (group === undefined) {
      group = { gathered: [], underWay: 0, holding: undefined };
      groups.set(name, group);
    }
    const { gathered } = group;
    const own = group;
    if (gathered.length === 0) {
      if (group.underWay < atOnce) setImmediate(() => void send(name, own));
      else group.holding = setTimeout(() => void send(name, own), HELD_MS);
    }
    const waiting: Waiting<Asked, Answer> = { ...Promise.withResolvers<Answer>(), asked };
    gathered.push(waiting);
    if (gathered.length === most) void send(name, own);
    return waiting.promise;
  };
}
