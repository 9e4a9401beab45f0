import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcess } from "../../e2e/programs.ts";

type Reply = number | string | null | Error | Reply[];

/** When Redis syncs its append-only file: before every response, or once a second. */
export type Fsync = "always" | "everysec";

/** The version of the machine's Redis; null if there is none. */
export const redisVersion = (): string | null =>
  /v=([\d.]+)/.exec(spawnSync("redis-server", ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1] ?? null;

/** The Redis key that holds the environment of an API key, by its hash. */
export const keyName = (hash: Buffer): string => `key:${hash.toString("hex")}`;

/** Starts a Redis server whose files and socket are in a folder. */
export async function startRedis(folder: string, fsync: Fsync, atEnd: (close: () => Promise<unknown>) => void) {
  const directory = join(folder, `redis-${fsync}`);
  mkdirSync(directory);
  const path = join(directory, "socket");
  const options = { port: 0, unixsocket: path, dir: directory, appendonly: "yes", appendfsync: fsync, save: "", daemonize: "no" };
  const child = spawn(
    "redis-server",
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: "ignore" },
  );
  atEnd(() => endProcess(child, "SIGKILL"));
  for (let tries = 0; tries < 200; tries++) {
    const client = await RedisClient.open(path).catch(() => null);
    if (client !== null) return { pid: child.pid!, path, client };
    await sleep(50);
  }
  throw new Error("Redis does not answer.");
}

/** Pipelines commands over one connection, as Redis clients do: commands do not wait for earlier responses. */
export class RedisClient {
  readonly #socket: Socket;
  readonly #waiting: { resolve(reply: Reply): void; reject(error: Error): void }[] = [];
  #received = "";
  #at = 0;
  #unsent: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket.setEncoding("latin1");
    socket.on("data", (text: string) => this.#read(text));
    socket.on("close", () => this.#waiting.splice(0).forEach(({ reject }) => reject(new Error("Redis closed the connection."))));
    socket.on("error", () => {});
  }

  static async open(path: string): Promise<RedisClient> {
    const socket = connect(path);
    await once(socket, "connect");
    return new RedisClient(socket);
  }

  command(...words: readonly (string | number)[]): Promise<Reply> {
    if (this.#unsent.length === 0) queueMicrotask(() => this.#socket.write(this.#unsent.splice(0).join(""), "latin1"));
    this.#unsent.push(`*${words.length}\r\n${words.map((word) => `$${String(word).length}\r\n${word}\r\n`).join("")}`);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    for (;;) {
      const from = this.#at;
      const reply = this.#reply();
      if (reply === undefined) {
        this.#received = this.#received.slice(from);
        this.#at = 0;
        return;
      }
      const waiting = this.#waiting.shift();
      if (reply instanceof Error) waiting?.reject(reply);
      else waiting?.resolve(reply);
    }
  }

  /** Parses the next reply; undefined while it is incomplete. */
  #reply(): Reply | undefined {
    const end = this.#received.indexOf("\r\n", this.#at);
    if (end < 0) return undefined;
    const [kind, rest] = [this.#received[this.#at], this.#received.slice(this.#at + 1, end)];
    this.#at = end + 2;
    if (kind === ":") return Number(rest);
    if (kind === "+") return rest;
    if (kind === "-") return new Error(`Redis: ${rest}`);
    const length = Number(rest);
    if (length < 0) return null;
    if (kind === "$") {
      if (this.#received.length < this.#at + length + 2) return undefined;
      const value = this.#received.slice(this.#at, this.#at + length);
      this.#at += length + 2;
      return value;
    }
    const replies: Reply[] = [];
    for (let index = 0; index < length; index++) {
      const reply = this.#reply();
      if (reply === undefined) return undefined;
      replies.push(reply);
    }
    return replies;
  }
}
