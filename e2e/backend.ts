import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Database } from "../db/client.ts";
import type { Environment } from "../server/model/kernel/environment.ts";
import { parseJson } from "../server/model/kernel/json.ts";
import { moveClock } from "../server/operations/sandbox/move-clock.ts";
import { createEndpoint } from "../server/delivery/service/endpoints.ts";
import type { Conformance } from "./conformance.ts";
import { type Call, exchange, type Reply } from "./http.ts";
import { testCipher } from "../server/delivery/testing.ts";
import { untilSettled } from "../server/operations/worker/until-settled.ts";
import { importDefinitions } from "../server/authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../server/engine/environment.ts";

/** An event in a test: by default `order_placed`, happening now. */
export interface Item {
  playerId: string;
  event?: string;
  occurredAt?: string;
  idempotencyKey?: string | null;
  properties?: object | null;
}

/** The service that a backend calls, with its database for the actions of people. */
interface TestedService {
  readonly database: Database;
  readonly port: number;
  readonly conformance: Conformance;
}

/** A customer's backend with one environment's key, and actions of people in the dashboard. */
export class Backend {
  readonly service: TestedService;
  readonly environment: Environment;
  readonly key: string;

  constructor(service: TestedService, environment: Environment, key: string) {
    this.service = service;
    this.environment = environment;
    this.key = key;
  }

  private get database(): Database {
    return this.service.database;
  }

  /** Sends a request with the key. Fails on a server error, or if the response or an accepted body violates the OpenAPI document. */
  async call(method: string, path: string, { body, headers }: Call = {}): Promise<Reply> {
    const reply = await exchange(this.service.port, method, path, { body, headers: { authorization: `Bearer ${this.key}`, ...headers } });
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(500);
    expect(this.service.conformance.ofAnswer(method, path, reply)).toEqual([]);
    const isTaken = ["POST", "PUT"].includes(method) && reply.status < 300 && !reply.json?.rejected;
    if (isTaken && !(body instanceof Uint8Array)) expect(this.service.conformance.ofBody(method, path, plain(body))).toEqual([]);
    return reply;
  }

  get = (path: string): Promise<Reply> => this.call("GET", path);

  post = (path: string, body: unknown): Promise<Reply> => this.call("POST", path, { body });

  /** Sends events in one batch, whatever the responses. */
  batch = (...items: unknown[]): Promise<Reply> =>
    this.post("/v1/events", {
      events: items.map((item) => (isItem(item) ? { event: "order_placed", occurredAt: new Date().toISOString(), ...item } : item)),
    });

  /** Sends events that must all be accepted; returns their ids. */
  async send(...items: Item[]): Promise<string[]> {
    const { status, json, text } = await this.batch(...items);
    expect([status, json.rejected], text).toEqual([200, 0]);
    return json.results.map(({ eventId }: { eventId: string }) => eventId);
  }

  /** Sends events that must all be accepted, and waits until they are applied. */
  async play(...items: Item[]): Promise<void> {
    await this.send(...items);
    await this.applied();
  }

  /** Sends a metric event that must be accepted; returns the response. By default it happens now. */
  async add(playerId: string, metricKey: string, value: unknown, more: object = {}): Promise<any> {
    const body = { externalPlayerId: playerId, metricKey, value, occurredAtUtc: new Date().toISOString(), ...more };
    const { status, json, text } = await this.post("/v1/metric-events", body);
    expect(status, text).toBe(200);
    return json;
  }

  /** A player's missions. */
  async missions(playerId: string, more: object = {}): Promise<any[]> {
    const { status, json, text } = await this.post("/v1/missions", { playerId, ...more });
    expect(status, text).toBe(200);
    return json;
  }

  /** One mission of a player's feed; undefined if absent. */
  async mission(playerId: string, missionKey: string, more: object = {}): Promise<any> {
    return (await this.missions(playerId, more)).find((row) => row.missionKey === missionKey);
  }

  /** The progress value of the first objective of a player's mission. */
  async counterValue(playerId: string, missionKey: string): Promise<any> {
    return (await this.mission(playerId, missionKey)).objectives[0].progress.actual.value;
  }

  /** Sets attributes of a player, all of which must be accepted; returns their results. */
  async setAttributes(playerId: string, attributes: object): Promise<Record<string, string>> {
    const { status, json, text } = await this.call("PUT", "/v1/attributes", { body: { playerId, attributes } });
    expect(status, text).toBe(200);
    return json.results;
  }

  accept = (playerId: string, missionKey: string): Promise<Reply> => this.post(`/v1/missions/${missionKey}/accept`, { playerId });

  adjust = (playerId: string, amount: unknown, more: object = {}): Promise<Reply> =>
    this.post("/v1/points/adjustments", { playerId, amount, reason: "by hand", ...more });

  async points(playerId: string): Promise<{ balance: number; totalGranted: number; totalSpent: number }> {
    return (await this.get(`/v1/points?PlayerId=${encodeURIComponent(playerId)}`)).json;
  }

  async transactions(playerId: string, more = ""): Promise<any[]> {
    return (await this.get(`/v1/points/transactions?PlayerId=${encodeURIComponent(playerId)}${more}`)).json;
  }

  /** The shop as a player sees it. */
  async shop(playerId: string, more = ""): Promise<any[]> {
    const { status, json, text } = await this.get(`/v1/marketplace-items?PlayerId=${encodeURIComponent(playerId)}${more}`);
    expect(status, text).toBe(200);
    return json;
  }

  /** One marketplace item as a player sees it. */
  listing = (playerId: string, key: string): Promise<Reply> =>
    this.get(`/v1/marketplace-items/${key}?PlayerId=${encodeURIComponent(playerId)}`);

  buy = (playerId: string, key: string, more: object = {}): Promise<Reply> =>
    this.post(`/v1/marketplace-items/${key}/purchases`, { playerId, ...more });

  async purchases(playerId: string, more = ""): Promise<any[]> {
    return (await this.get(`/v1/marketplace-purchases?PlayerId=${encodeURIComponent(playerId)}${more}`)).json;
  }

  /** The standings of a leaderboard as a player sees them. */
  async board(playerId: string, key: string, more = ""): Promise<any> {
    const { status, json, text } = await this.get(`/v1/leaderboards/${key}?PlayerId=${encodeURIComponent(playerId)}${more}`);
    expect(status, text).toBe(200);
    return json;
  }

  /** The leaderboards that a player sees. */
  async boards(playerId: string, more = ""): Promise<any[]> {
    const { status, json, text } = await this.get(`/v1/leaderboards?PlayerId=${encodeURIComponent(playerId)}${more}`);
    expect(status, text).toBe(200);
    return json;
  }

  /** Creates a player with this balance. */
  async customer(playerId: string, points = 0): Promise<void> {
    expect((await this.post("/v1/players", { playerId })).status).toBe(200);
    if (points > 0) expect((await this.adjust(playerId, points)).status).toBe(200);
  }

  /** Waits until the worker has applied all that was accepted, as `settled()` of the testing kit does. */
  async applied(): Promise<void> {
    const wanted = { player: null, deliveries: false, withinMs: 20_000 };
    while (!(await untilSettled(this.database, this.environment, wanted)).isSettled);
  }

  /** Waits until every delivery of a webhook has ended. */
  async delivered(): Promise<void> {
    const { id } = this.environment;
    const pending = () => this.database.sql`select from webhook_deliveries where environment_id = ${id} and status = 'Pending' limit 1`;
    while ((await pending()).length > 0) await delay(10);
  }

  /** Imports a definitions file, which must be valid. */
  async define(file: object): Promise<void> {
    const result: unknown = await importDefinitions(this.database, this.environment, parseJson(JSON.stringify({ version: 1, ...file })));
    expect(result).not.toHaveProperty("problems");
  }

  /** Moves the Sandbox clock forward by an ISO 8601 duration; returns the new time in epoch milliseconds. */
  advance = (duration: string): Promise<number> => moveClock(this.database, this.environment, duration);

  /** Moves the Sandbox clock forward to an instant, RFC 3339. */
  async moveTo(instant: string): Promise<void> {
    const current = (await loadEnvironment(this.database.sql, this.environment.id)) as Environment;
    const ahead = Date.parse(instant) - (await environmentNow(this.database.sql, current));
    await this.advance(`PT${(ahead / 1000).toFixed(3)}S`);
  }

  /** Registers a webhook endpoint, by default for completed missions and requested items; returns its id and secret. */
  async subscribe(url: string, ...events: string[]): Promise<{ id: string; secret: string }> {
    const subscribed = events.length === 0 ? ["mission.completed", "catalog_item.fulfillment_requested"] : events;
    return createEndpoint(
      this.database,
      this.environment,
      { url, events: subscribed },
      { allowPrivateAddresses: true, cipher: testCipher },
    );
  }
}

/** A body as a client with plain JSON sees it. */
const plain = (body: unknown): unknown => JSON.parse((typeof body === "string" ? body : JSON.stringify(body)).replace(/^\ufeff/, ""));

const isItem = (item: unknown): item is object =>
  typeof item === "object" && item !== null && Object.getPrototypeOf(item) === Object.prototype;
