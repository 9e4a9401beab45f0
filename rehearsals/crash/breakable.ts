import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The way a connection breaks. */
export interface Break {
  /** `before`: the statement never arrives. `after`: it is executed, but its result is lost. */
  when: "before" | "after";
  /** `politely`: both ends see the connection close. `rudely`: it is reset. */
  how: "politely" | "rudely";
}

export const BREAKS: readonly Break[] = (["before", "after"] as const).flatMap((when) =>
  (["politely", "rudely"] as const).map((how) => ({ when, how })),
);

/** A proxy to a database that can be told to cut the connection of the n-th statement, once. */
export async function openBreakableWay(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: (Break & { statement: number }) | null = null;
  let passed = 0;

  /** Counts a statement; returns how to break if it is the chosen one. */
  const isDue = (): Break | null => {
    passed++;
    if (armed === null || passed !== armed.statement) return null;
    const broken = armed;
    armed = null;
    return broken;
  };

  const server = createServer((client) => {
    const target = connect(Number(port), hostname);
    const cut = ({ how }: Pick<Break, "how">) => {
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
    /** Breaks at the n-th statement from now, counted from 1, on any connection. */
    arm(statement: number, how: Break): void {
      passed = 0;
      armed = { ...how, statement };
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
function carry(client: Socket, target: Socket, isDue: () => Break | null, cut: (how: Break) => void): void {
  let isGreeted = false;
  let breaking: Break | null = null;
  /** Pending responses: the startup's, and one for each query and each sync. */
  let asked = 1;
  let answered = 0;

  const toDatabase = (message: Buffer) => {
    const type = isGreeted ? String.fromCharCode(message[0]!) : "";
    isGreeted = true;
    // After the chosen statement only its sync is forwarded.
    if (breaking !== null && type !== "S") return;
    if (type === "Q" || type === "E") breaking = isDue();
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
  client.on(
    "data",
    messages(() => isGreeted, toDatabase),
  );
  target.on(
    "data",
    messages(() => true, toClient),
  );
}

const READY = "Z".charCodeAt(0);

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
