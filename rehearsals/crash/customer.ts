import { setTimeout as delay } from "node:timers/promises";
import { exchange, type Reply } from "../../e2e/http.ts";
import { MAX_SHARED_EVENTS } from "../../server/game/events/store.ts";
import { type Oracle, daysAgo, type Order } from "./oracle.ts";
import type { Chance } from "./chance.ts";
import type { Traffic } from "./traffic.ts";

const DRINKS = ["latte", "mocha", "tea", "cocoa", "water"];

/** A mutating request, with its response. */
export interface Acknowledged {
  path: string;
  body: any;
  answer: any;
}

export interface CustomerOptions {
  /** A connection's prefix for players and keys. */
  name: string;
  /** The ports of the web processes; any may be down. */
  ports: number[];
  apiKey: string;
  oracle: Oracle;
  chance: Chance;
  /** Players shared by all connections. */
  shared: string[];
  /** Records acknowledged requests, for sending them again; if left out, none are recorded. */
  journal?: Acknowledged[];
}

/** One connection of a customer's backend, which retries everything until acknowledged. Throws on an unexpected response. */
export class Customer {
  private readonly options: CustomerOptions;
  private readonly players: string[];
  private lastOrders: Order[] = [];
  private count = 0;
  /** How often a request had no final answer and was sent again. */
  private sentAgain = 0;

  constructor(options: CustomerOptions) {
    this.options = options;
    this.players = [...options.shared];
  }

  /** Sends one request after the other as long as the traffic flows. */
  run(traffic: Traffic): Promise<void> {
    const { chance } = this.options;
    return traffic.keepDoing(
      () => this.something(chance.between(1, 100)),
      () => delay(chance.between(50, 350)),
    );
  }

  private something(dice: number): Promise<void> {
    if (dice <= 12) return this.welcome(`${this.options.name}-${this.count++}`);
    if (dice <= 15) return this.watch(`${this.options.name}-guest-${this.count++}`);
    if (dice <= 70) return this.sendOrders();
    if (dice <= 78) return this.repeatOrders();
    if (dice <= 80) return this.sendReturns();
    if (dice <= 88) return this.readSomething();
    if (dice <= 94) return this.adjust();
    return this.buy();
  }

  /** Adds a player who is entered into the missions before the first event. */
  async welcome(playerId: string): Promise<void> {
    await this.expect(200, "POST", "/v1/missions", { playerId });
    await this.expect(204, "POST", "/v1/missions/club/accept", { playerId });
    this.options.oracle.open(playerId, true);
    this.players.push(playerId);
  }

  /** Adds a player who only sends events, and gets nothing for them without being entered. */
  private async watch(playerId: string): Promise<void> {
    this.options.oracle.open(playerId, false);
    await this.send([this.order(playerId)]);
  }

  private async sendOrders(): Promise<void> {
    if (this.players.length === 0) return;
    const { chance } = this.options;
    this.lastOrders = Array.from({ length: chance.between(1, 30) }, () => this.order(chance.pick(this.players)));
    await this.send(this.lastOrders);
  }

  /** Sends this many concurrent requests, each with more orders than a shared statement may have. */
  async sendAtOnce(count: number): Promise<void> {
    const orders = () => Array.from({ length: MAX_SHARED_EVENTS + 1 }, () => this.order(this.options.chance.pick(this.players)));
    await Promise.all(Array.from({ length: count }, () => this.send(orders())));
  }

  /** Sends the last acknowledged batch twice more, concurrently and in different orders. */
  private async repeatOrders(): Promise<void> {
    const orders = this.lastOrders.toReversed();
    if (orders.length > 0) await Promise.all([this.send(orders), this.send(orders.slice(1).concat(orders[0]!))]);
  }

  private order(playerId: string): Order {
    const { chance } = this.options;
    const [cents, drink, occurredAt] = [chance.between(1, 999), chance.pick(DRINKS), daysAgo(chance.between(0, 6))];
    return { playerId, key: `${this.options.name} ${this.count++}`, cents, drink, occurredAt };
  }

  private async send(orders: Order[]): Promise<void> {
    const events = orders.map(({ playerId, key, cents, drink, occurredAt }) => ({
      playerId,
      event: "order_placed",
      occurredAt,
      idempotencyKey: key,
      properties: { amount: cents / 100, drink },
    }));
    const ids = await this.accepted(events);
    orders.forEach((order, index) => this.options.oracle.ordered(order, ids[index]!));
  }

  /** Events without a key, which no mission counts. */
  private async sendReturns(): Promise<void> {
    if (this.players.length === 0) return;
    const occurredAt = new Date().toISOString();
    const events = this.players.slice(-3).map((playerId) => ({ playerId, event: "order_returned", occurredAt }));
    const { oracle } = this.options;
    const before = this.sentAgain;
    oracle.others.push(...(await this.accepted(events)));
    oracle.unanswered += events.length * (this.sentAgain - before);
  }

  /** Sends events, all of which have to be accepted; their ids. */
  async accepted(events: object[]): Promise<string[]> {
    const { json, text } = await this.expect(200, "POST", "/v1/events", { events });
    if (json.accepted !== events.length) throw new Error(`not all were accepted: ${text}`);
    return json.results.map(({ eventId }: { eventId: string }) => eventId);
  }

  private async readSomething(): Promise<void> {
    if (this.players.length === 0) return;
    const { chance } = this.options;
    const playerId = chance.pick(this.players);
    await this.expect(200, "POST", "/v1/missions", { playerId, includeCompleted: chance.oneIn(2) });
    if (chance.oneIn(3)) await this.expect(200, "GET", `/v1/points?PlayerId=${playerId}`);
  }

  /** Adjusts points. An adjustment below a balance of zero is refused, and must not have been applied. */
  private async adjust(): Promise<void> {
    if (this.players.length === 0) return;
    const { chance, oracle, name } = this.options;
    const playerId = chance.pick(this.players);
    const amount = chance.between(1, 40) * (chance.oneIn(3) ? -1 : 1);
    const body = { playerId, amount, reason: "by hand", idempotencyKey: `${name} ${this.count++}` };
    const reply = await this.say("POST", "/v1/points/adjustments", body);
    if (reply.code === "points.insufficient_balance") return;
    if (reply.status !== 200) throw unexpected(reply, "an adjustment");
    oracle.adjusted(playerId, amount);
  }

  /** Buys one unit. A refusal is final, and nothing must have been charged. */
  private async buy(): Promise<void> {
    if (this.players.length === 0) return;
    const { chance, oracle, name } = this.options;
    const playerId = chance.pick(this.players);
    const idempotencyKey = `${name} ${this.count++}`;
    const path = `/v1/marketplace-items/${chance.oneIn(2) ? "rare" : "cup"}/purchases`;
    const reply = await this.say("POST", path, { playerId, idempotencyKey });
    if (REFUSED_PURCHASE.some((code) => code === reply.code)) return;
    if (reply.status !== 200) throw unexpected(reply, "a purchase");
    oracle.bought(playerId, idempotencyKey, reply.json);
  }

  async expect(status: number, method: string, path: string, body?: object): Promise<Reply> {
    const reply = await this.say(method, path, body);
    if (reply.status !== status) throw unexpected(reply, `${method} ${path}`);
    return reply;
  }

  /** Sends a request to one process after another until the response is final. */
  async say(method: string, path: string, body?: object): Promise<Reply> {
    const { chance, ports, apiKey, oracle, journal } = this.options;
    for (;;) {
      const call = { headers: { authorization: `Bearer ${apiKey}` }, ...(body && { body }) };
      const reply = await exchange(chance.pick(ports), method, path, call).catch(() => null);
      if (reply !== null && !isPassing(reply)) {
        oracle.answers += 1;
        if (body !== undefined && reply.status < 300) journal?.push({ path, body, answer: reply.json });
        return reply;
      }
      const reason = reply === null ? "no answer" : `${reply.status} ${reply.code}`;
      this.sentAgain += 1;
      oracle.sentAgain.set(reason, (oracle.sentAgain.get(reason) ?? 0) + 1);
      await delay(chance.between(20, 150));
    }
  }
}

const REFUSED_PURCHASE = ["points.insufficient_balance", "marketplace_item.out_of_stock", "marketplace_item.purchase_limit_reached"];

/** Either nothing was written, or the outcome is unknown: retry. */
const isPassing = ({ status, code }: Reply): boolean => status === 503 || status === 429 || code?.endsWith(".concurrent_update") === true;

const unexpected = ({ status, text }: Reply, what: string): Error => new Error(`${what} was answered ${status}: ${text}`);
