import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Answer {
  status: number;
  body: Buffer;
}

/** The bytes of a request, so that it is built before the measurement starts. */
export function requestOf(method: string, path: string, { key, body }: { key: string; body?: string | Buffer }): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

const HEAD_END = Buffer.from("\r\n\r\n");
const CHUNKS_END = Buffer.from("0\r\n\r\n");

/**
 * A kept-alive connection with one request at a time. Written by hand, because the sender shares the cores with what it measures: it only
 * parses what it needs to find a response's end.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #length = 0;
  /** The end of the response, once its head has arrived; null while unknown, or for a chunked body. */
  #end: number | null = null;
  #bodyAt = 0;
  #status = 0;
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("The server closed the connection.")));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new Connection(socket);
  }

  request(bytes: Buffer): Promise<Answer> {
    if (this.#socket.destroyed) return Promise.reject(new Error("The server has closed the connection."));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#length += chunk.length;
    if (this.#bodyAt === 0 && !this.#readHead()) return;
    const isComplete = this.#end === null ? this.#endsWithLastChunk(chunk) : this.#length >= this.#end;
    if (!isComplete) return;
    const answer = { status: this.#status, body: this.#all().subarray(this.#bodyAt) };
    const waiting = this.#waiting;
    this.#received = [];
    this.#length = this.#bodyAt = 0;
    this.#end = this.#waiting = null;
    waiting?.resolve(answer);
  }

  #readHead(): boolean {
    const bytes = this.#all();
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return false;
    const head = bytes.toString("latin1", 0, headEnd);
    this.#status = Number(head.slice(9, 12));
    this.#bodyAt = headEnd + HEAD_END.length;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.#end = length ? this.#bodyAt + Number(length[1]) : /\r\ntransfer-encoding: *chunked/i.test(head) ? null : this.#bodyAt;
    return true;
  }

  /** Looks at the newest bytes first: joining everything received would copy it for each chunk. */
  #endsWithLastChunk(newest: Buffer): boolean {
    return newest.subarray(-5).equals(CHUNKS_END) || this.#all().subarray(-5).equals(CHUNKS_END);
  }

  #all(): Buffer {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received)];
    return this.#received[0] ?? Buffer.alloc(0);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}

/** Opens connections, and closes them when the work is done. */
export async function withConnections<T>(port: number, count: number, work: (connections: Connection[]) => Promise<T>): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** The body of a response; throws unless it is a success. */
export function expectOk({ status, body }: Answer): Buffer {
  if (status >= 200 && status < 300) return body;
  throw new Error(`The server answered ${status}: ${body.toString("utf8", 0, 500)}`);
}
