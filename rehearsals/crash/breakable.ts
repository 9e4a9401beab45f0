import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The way a connection breaks. */
export interface Break {
  /** `before`: the statement never arrives. `after`: it is executed, but its result is lost. */
  when: "before" | "after";
  /** `politely`: both ends see the connection close. `rudely`: it is reset. */
  how: "politely" | "rudely";
}

/** The statements that are counted: all, or only commits. The statements of a transaction before its commit all leave the same: nothing. */
type Counted = "statements" | "commits";

/** A proxy to a database that can be told to cut the connection of the n-th statement, once. */
export async function openBreakableWay(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: (Break & { number: number; of: Counted }) | null = null;
  let passed = 0;

  /** Counts a statement; returns how to break if it is the chosen one. */
  const isDue = (isCommit: boolean): Break | null => {
    if (armed === null || (armed.of === "commits" && !isCommit) || ++passed !== armed.number) return null;
    const broken = armed;
    armed = null;
    return broken;
  };

  const server = createServer((client) => {
    const target = connect(Number(port), hostname);
    const cut = ({ how }: Pick<Break, "how">) => {
      for (const one of [client, target]) one.uncork();
      if (how === "rudely") client.resetAndDestroy();
      client.destroy();
      target.destroy();
    };
    for (const one of [client, target]) {
      sockets.add(one);
      one.setNoDelay(true).on("error", () => {});
      one.on("close", () => sockets.delete(one) && cut({ how: "politely" }));
    }
    carry(client, target, isDue, cut);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: url.href,
    /** Breaks at the n-th statement or commit from now, counted from 1, on any connection. */
    arm(number: number, how: Break, of: Counted = "statements"): void {
      passed = 0;
      armed = { ...how, number, of };
    },
    isBroken: () => armed === null,
    /** Disarms it. False if it has broken since it was armed. */
    disarm(): boolean {
      const wasArmed = armed !== null;
      armed = null;
      return wasArmed;
    },
    async close(): Promise<void> {
      for (const one of sockets) one.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

export type BreakableWay = Awaited<ReturnType<typeof openBreakableWay>>;

/** Forwards whole messages of PostgreSQL's protocol both ways. */
function carry(client: Socket, target: Socket, isDue: (isCommit: boolean) => Break | null, cut: (how: Break) => void): void {
  let isGreeted = false;
  let breaking: Break | null = null;
  /** Names of prepared statements that commit. */
  const commits = new Set<string>();
  let isCommit = false;
  /** Pending responses: the startup's, and one for each query and each sync. */
  let asked = 1;
  let answered = 0;

  const toDatabase = (message: Buffer) => {
    const type = isGreeted ? String.fromCharCode(message[0]!) : "";
    isGreeted = true;
    // After the chosen statement only its sync is forwarded.
    if (breaking !== null && type !== "S") return;
    if (type === "P") {
      const [name, text] = textsOf(message);
      if (IS_COMMIT.test(text!)) commits.add(name!);
    }
    if (type === "B") isCommit = commits.has(textsOf(message)[1]!);
    if (type === "Q") isCommit = IS_COMMIT.test(textsOf(message)[0]!);
    if (type === "Q" || type === "E") breaking = isDue(isCommit);
    if (breaking?.when === "before") return cut(breaking);
    if (type === "Q" || type === "S") asked++;
    target.write(message);
  };
  const toClient = (message: Buffer) => {
    const isLast = breaking !== null && answered + 1 === asked;
    if (!isLast) client.write(message);
    if (message[0] !== READY) return;
    answered++;
    if (isLast) cut(breaking!);
  };
  forward(
    client,
    target,
    messages(() => isGreeted, toDatabase),
  );
  forward(
    target,
    client,
    messages(() => true, toClient),
  );
}

/** Writes the messages of a chunk together: one write each would double the proxy's processor time. */
function forward(from: Socket, to: Socket, take: (chunk: Buffer) => void): void {
  from.on("data", (chunk: Buffer) => {
    to.cork();
    take(chunk);
    to.uncork();
  });
}

const READY = "Z".charCodeAt(0);
const IS_COMMIT = /^\s*commit\b/i;
/** The first two texts of a message, each ended by a zero byte: the name and text of a statement, or a portal and its statement. */
const textsOf = (message: Buffer): string[] => message.toString("latin1", 5, 200).split("\0", 2);

/** Splits a stream into messages: a four-byte length, preceded by a type byte after the startup. */
function messages(hasType: () => boolean, take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = hasType() ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      take(message);
    }
  };
}
