import { randomBytes } from "node:crypto";
import { Api, Player, type TestEvent } from "./api.ts";
import { type DefinitionsInput, importDefinitions, type Scope } from "./definitions.ts";
import { KitError, type Rpc, rpcWithToken } from "./rpc.ts";
import { WebhookInbox, type Webhooks } from "./webhooks.ts";

export { Api, Player, type TestEvent } from "./api.ts";
export type { DefinitionsInput } from "./definitions.ts";
export type { Definitions } from "./definitions-file.ts";
export { KitError } from "./rpc.ts";
export type { NextOptions, WebhookEvent, WebhookMessage, Webhooks } from "./webhooks.ts";

export interface EngagementOptions {
  /** The service's address; ENGAGEMENT_URL unless given. */
  url?: string;
  /** A token for tests (`token create --environment tests`); ENGAGEMENT_TOKEN unless given. */
  token?: string;
  /** The path of a definitions file, or of a folder of such files, or the content, to start with. */
  definitions?: DefinitionsInput;
  /** The IANA zone of the project's days; by default that of the token's project. */
  timeZone?: string;
  /** BCP 47; by default that of the token's project. */
  defaultLanguage?: string;
}

export interface SettledOptions {
  /** Waits for this player's events only. */
  player?: string | Player;
  /** Also waits until due webhooks have been attempted, and forwarded. */
  deliveries?: boolean;
  /** 30,000 by default. */
  timeoutMs?: number;
}

/** The clock of a project's Sandbox. */
export interface Clock {
  /** The current time there. */
  now(): Date;
  /**
   * Moves it forward by an ISO 8601 duration, such as "P1D" or "PT2H", and waits until everything due on the way has run, in order: streaks
   * break, missions recur, leaderboards settle. Returns the new time. It never goes back.
   */
  advance(duration: string): Promise<Date>;
}

/** Maximum wait of one call at the service. */
const MAX_WAIT_MS = 20_000;

/**
 * A project of the test's own, with its own players, definitions and clock. Created by `openEngagement`, and deleted with all its data by
 * `close`; after a killed run the service deletes it within hours.
 */
export class Engagement {
  /** The service's address. */
  readonly url: string;
  /** The project's slug. */
  readonly project: string;
  /** A key of its Sandbox, for the app under test. */
  readonly key: string;
  readonly api: Api;
  readonly clock: Clock;
  readonly #rpc: Rpc;
  readonly #home: string;
  readonly #scope: Scope;
  readonly #inbox: WebhookInbox;
  #offsetMs = 0;

  /** @internal Use `openEngagement`. */
  constructor({
    url,
    rpc,
    home,
    project,
    key,
    inbox,
  }: {
    url: string;
    rpc: Rpc;
    home: string;
    project: string;
    key: string;
    inbox: WebhookInbox;
  }) {
    this.url = url;
    this.project = project;
    this.key = key;
    this.#rpc = rpc;
    this.#home = home;
    this.#scope = { project, environment: "sandbox" };
    this.#inbox = inbox;
    this.clock = { now: () => new Date(Date.now() + this.#offsetMs), advance: (duration) => this.#advance(duration) };
    this.api = new Api(url, key, () => this.clock.now());
  }

  /** The project's URL in the dashboard, for members of the token's project. */
  get dashboard(): string {
    return `${this.url}/dashboard/${this.project}/sandbox`;
  }

  get webhooks(): Webhooks {
    return this.#inbox;
  }

  /** Imports definitions: the path of a definitions file, or of a folder of such files, or the content. Other definitions stay. */
  definitions(definitions: DefinitionsInput): Promise<void> {
    return importDefinitions(this.#rpc, this.#scope, definitions);
  }

  /** A player with this id, or a new one. Nothing is sent: the player is created by the first call about them. */
  player(id = `player-${randomBytes(6).toString("hex")}`): Player {
    return new Player(this.api, id);
  }

  /** Sends events in one batch; returns their ids. Throws KitError if any is not accepted. */
  send(events: readonly TestEvent[]): Promise<string[]> {
    return this.api.send(events);
  }

  /** Waits until everything accepted before has been applied. Throws KitError after a timeout, or if an event failed. */
  async settled({ player, deliveries = false, timeoutMs = 30_000 }: SettledOptions = {}): Promise<void> {
    const wanted = { ...this.#scope, player: (typeof player === "object" ? player.id : player) ?? null, deliveries };
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const withinMs = Math.max(0, Math.min(MAX_WAIT_MS, Math.round(deadline - performance.now())));
      const found = await this.#rpc<SettledAnswer>("work/settled", { ...wanted, withinMs });
      if (found.quarantined > 0) {
        throw new KitError(`${found.quarantined} events could not be applied; for the reasons see ${this.dashboard}/developers/quarantine`);
      }
      if (found.isSettled) {
        if (deliveries) await this.#inbox.all();
        return;
      }
      if (performance.now() < deadline) continue;
      const waiting = `${found.facts} events, ${found.fills} leaderboards and ${found.deliveries} webhooks`;
      throw new KitError(`After ${timeoutMs} ms still waiting: ${waiting}. Is a worker of the service running?`);
    }
  }

  /** Deletes players, events and everything derived from them; definitions, the key and the clock stay. */
  async reset(): Promise<void> {
    await this.#rpc("work/reset", { ...this.#scope, confirmation: this.project });
    await this.#inbox.clear();
  }

  /** Calls a dashboard procedure in this project's Sandbox, for anything that the kit does not cover. */
  call<Answer>(procedure: string, input: object = {}): Promise<Answer> {
    return this.#rpc<Answer>(procedure, { ...this.#scope, ...input });
  }

  /** Deletes the project with all its data. */
  async close(): Promise<void> {
    await this.#rpc("testProjects/remove", { project: this.#home, slug: this.project });
  }

  async #advance(duration: string): Promise<Date> {
    const before = this.#offsetMs;
    const { now } = await this.#rpc<{ now: string }>("work/moveClock", { ...this.#scope, by: duration });
    // The service's clock and this machine's may differ by more than the call's duration; the Sandbox clock itself never goes back.
    this.#offsetMs = Math.max(before, Date.parse(now) - Date.now());
    return new Date(now);
  }
}

interface SettledAnswer {
  isSettled: boolean;
  facts: number;
  fills: number;
  deliveries: number;
  quarantined: number;
}

const NOWHERE =
  'There is no engagement service to test with. Set ENGAGEMENT_URL and ENGAGEMENT_TOKEN (a token for tests): those of a running service, or of `engagement serve --ephemeral`. With the service\'s own package, globalSetup: "engagement-service/testing/setup" starts one.';

/** Creates a project for a test, with the service and token from the options or the environment. Close it afterwards. */
export async function openEngagement(options: EngagementOptions = {}): Promise<Engagement> {
  const { url = process.env["ENGAGEMENT_URL"], token = process.env["ENGAGEMENT_TOKEN"], timeZone, defaultLanguage } = options;
  if (!url || !token) throw new KitError(NOWHERE);
  // No header could carry it.
  if (/[^\x21-\x7e]/.test(token.trim()))
    throw new KitError("The token for tests is not complete: give all of it, svc_pat_ and 64 hex digits.");
  let address = url;
  while (address.endsWith("/")) address = address.slice(0, -1);
  const rpc = rpcWithToken(address, token);
  const { projects } = await rpc<{ projects: { slug: string }[] }>("projects/me");
  const home = projects[0]?.slug;
  if (home === undefined) throw new KitError("The token's project is archived.");
  const made = await rpc<{ slug: string; problems?: { message: string }[] }>("testProjects/create", {
    project: home,
    timeZone,
    defaultLanguage,
  });
  if (made.problems) throw new KitError(made.problems.map(({ message }) => message).join(" "));
  const scope: Scope = { project: made.slug, environment: "sandbox" };
  try {
    const { key } = await rpc<{ key: string }>("keys/create", { ...scope, name: "tests" });
    const inbox = await WebhookInbox.open(rpc, scope);
    const engagement = new Engagement({ url: address, rpc, home, project: made.slug, key, inbox });
    if (options.definitions !== undefined) await engagement.definitions(options.definitions);
    return engagement;
  } catch (error) {
    await rpc("testProjects/remove", { project: home, slug: made.slug }).catch(() => {});
    throw error;
  }
}
