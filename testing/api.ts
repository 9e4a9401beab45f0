import { ask, KitError, problemOf } from "./rpc.ts";

declare global {
  /** What your definitions name, as `engagement definitions types` writes it; until then every key is allowed. */
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface EngagementDefinitions {}
}

type Listed<Kind extends string, Otherwise> = EngagementDefinitions extends Record<Kind, infer Named> ? Named : Otherwise;
type Events = Listed<"events", Record<string, object>>;
type EventKey = keyof Events & string;
type PropertiesOf<Key extends EventKey> = object extends Events[Key] ? { properties?: Events[Key] } : { properties: Events[Key] };

interface TestEventBase {
  playerId: string;
  /** RFC 3339. */
  occurredAt?: string;
  idempotencyKey?: string;
}

/** An event as a test writes it; by default it happens now, on the Sandbox's clock. */
export type TestEvent = { [Key in EventKey]: TestEventBase & { event: Key } & PropertiesOf<Key> }[EventKey];

/** The public API, called with a key. */
export class Api {
  readonly #url: string;
  readonly #key: string;
  readonly #now: () => Date;

  constructor(url: string, key: string, now: () => Date) {
    this.#url = url;
    this.#key = key;
    this.#now = now;
  }

  /** A request such as `call("GET", "/v1/points?PlayerId=ann")`; returns the JSON. Throws KitError with the problem. */
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await ask(`${this.#url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new KitError(`${method} ${path} answered ${answer.status}: ${problemOf(text)}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Sends events in one batch; returns their ids. Throws KitError if any is not accepted. */
  async send(events: readonly TestEvent[]): Promise<string[]> {
    const items = events.map((event) => ({ ...event, occurredAt: event.occurredAt ?? this.#now().toISOString() }));
    const { results } = await this.call("POST", "/v1/events", { events: items });
    const refused = (results as any[]).filter(({ accepted }) => !accepted);
    if (refused.length === 0) return (results as any[]).map(({ eventId }) => eventId as string);
    const lines = refused.map(
      ({ index, errors }) => `  ${JSON.stringify(items[index])}: ${errors.map(({ message }: any) => message).join(" ")}`,
    );
    throw new KitError(`${refused.length} of ${events.length} events were refused:\n${lines.join("\n")}`);
  }
}

/** A player of a test. Calls throw KitError with the problem if the API refuses them. */
export class Player {
  /** The player's id in the public API. */
  readonly id: string;
  readonly #api: Api;

  constructor(api: Api, id: string) {
    this.#api = api;
    this.id = id;
  }

  /** The player's missions, including completed ones. Reading them enters the player: events count from then on. */
  missions(): Promise<any[]> {
    return this.#api.call("POST", "/v1/missions", { playerId: this.id, includeCompleted: true });
  }

  /** One of the player's missions; undefined if it is not shown to them. */
  async mission(key: Listed<"missions", string>): Promise<any> {
    return (await this.missions()).find(({ missionKey }) => missionKey === key);
  }

  /** Accepts a mission with manual opt-in. */
  async accept(missionKey: Listed<"missions", string>): Promise<void> {
    await this.#api.call("POST", `/v1/missions/${encodeURIComponent(missionKey)}/accept`, { playerId: this.id });
  }

  /** Sends one event; returns its id. */
  async send<Key extends EventKey>(
    event: Key,
    ...[properties, more]: object extends Events[Key]
      ? [properties?: Events[Key], more?: Partial<TestEventBase>]
      : [properties: Events[Key], more?: Partial<TestEventBase>]
  ): Promise<string> {
    const [id] = await this.#api.send([{ playerId: this.id, event, properties, ...more } as TestEvent]);
    return id!;
  }

  /** Sets attributes to values that hold from now on. */
  async setAttributes(attributes: Partial<Listed<"attributes", object>>): Promise<void> {
    await this.#api.call("PUT", "/v1/attributes", { playerId: this.id, attributes });
  }

  points(): Promise<{ balance: number; totalGranted: number; totalSpent: number }> {
    return this.#api.call("GET", `/v1/points?${this.#query}`);
  }

  /** The current streaks. */
  streaks(): Promise<any[]> {
    return this.#api.call("GET", `/v1/streaks?${this.#query}`);
  }

  /** A leaderboard's standings as the player sees them. */
  board(key: Listed<"leaderboards", string>): Promise<any> {
    return this.#api.call("GET", `/v1/leaderboards/${encodeURIComponent(key)}?${this.#query}`);
  }

  /** The shop as the player sees it. */
  shop(): Promise<any[]> {
    return this.#api.call("GET", `/v1/marketplace-items?${this.#query}`);
  }

  /** Buys a listing; returns the purchase. */
  buy(listingKey: Listed<"marketplaceItems", string>): Promise<any> {
    return this.#api.call("POST", `/v1/marketplace-items/${encodeURIComponent(listingKey)}/purchases`, { playerId: this.id });
  }

  get #query(): string {
    return `PlayerId=${encodeURIComponent(this.id)}`;
  }
}
