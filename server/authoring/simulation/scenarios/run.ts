import type { KeyedKind } from "../../../model/definitions/contract.ts";
import { closest } from "../../../model/definitions/problems.ts";
import type { StoredDefinitions } from "../../../model/definitions/stored.ts";
import { readShape } from "../../../model/definitions/zod-error-map.ts";
import { isTooFarAhead, TOO_FAR_AHEAD } from "../../../model/kernel/facts.ts";
import { writeJson } from "../../../model/kernel/json.ts";
import { atOnce, type Steps } from "../../../model/kernel/steps.ts";
import { addDuration, formatInstant, parseInstant } from "../../../model/kernel/time.ts";
import { acceptState } from "../../../model/missions/advance.ts";
import { fileSentence } from "../../../model/rules/file-words.ts";
import { mistake, type Path } from "../../../model/rules/finding.ts";
import type { InventedFact } from "../shapes.ts";
import { inventedFacts, thatChange } from "../invented.ts";
import { type Difference, differencesOf, inOrderOf } from "./differences.ts";
import { isInSegment, itemsSeen, listingSeen, missionSeen, placeSeen, streakSeen } from "./observe.ts";
import type { Basis, Rules } from "./rules.ts";
import { type Expectation, type Scenario, type ScenarioFile, scenarioFileShape, type ScenarioStep } from "./shape.ts";
import { type Section, whyNot } from "./why.ts";
import { type Actor, TooLong, World } from "./world.ts";

export interface ScenarioProblem {
  path: Path;
  message: string;
}

/** An unmet expectation. */
export interface Failure extends Difference {
  /** From 1. */
  step: number;
  why: string[];
}

export interface ScenarioResult {
  name: string;
  path: Path;
  /** Whether every step could be done and every expectation was met. */
  passed: boolean;
  failures: Failure[];
}

export function readScenarios(document: unknown): { file: ScenarioFile } | { problems: ScenarioProblem[] } {
  const read = readShape(scenarioFileShape, document);
  if ("shaped" in read) return { file: read.shaped };
  return { problems: read.findings.map(({ path, ...one }) => ({ path, message: fileSentence(one) })) };
}

/**
 * Runs the scenarios of a file. A step that cannot be done is a problem, and the rest of its scenario is skipped. `maxFolds` bounds the
 * work of each scenario.
 */
export function runScenarios(
  rules: Rules,
  file: ScenarioFile,
  maxFolds?: number,
): { results: ScenarioResult[]; problems: ScenarioProblem[] } {
  const problems: ScenarioProblem[] = [];
  const results = file.scenarios.map((scenario, at): ScenarioResult => {
    const path = ["scenarios", at];
    const run = new Run(rules.at(parseInstant(scenario.clock ?? file.clock) ?? 0, file), scenario, path, maxFolds);
    let isWhole = true;
    try {
      atOnce(run.play());
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      isWhole = false;
      problems.push(...error.problems);
    }
    return { name: scenario.name, path, passed: isWhole && run.failures.length === 0, failures: run.failures };
  });
  return { results, problems };
}

/** A step that cannot be done. */
export class Impossible extends Error {
  readonly problems: readonly ScenarioProblem[];

  constructor(problems: readonly ScenarioProblem[]) {
    super(problems.map(({ message }) => message).join("\n"));
    this.problems = problems;
  }
}

const refuse = (path: Path, message: string): never => {
  throw new Impossible([{ path, message }]);
};

/** One scenario, step by step. */
export class Run {
  readonly failures: Failure[] = [];
  readonly #scenario: Scenario;
  readonly #path: Path;
  readonly #stored: StoredDefinitions;
  readonly #world: World;
  /** Webhooks before this index were expected by earlier steps. */
  #compared = 0;

  constructor({ scene, stored }: Basis, scenario: Scenario, path: Path, maxFolds?: number) {
    this.#scenario = scenario;
    this.#path = path;
    this.#stored = stored;
    this.#world = new World(scene, maxFolds);
  }

  get now(): number {
    return this.#world.now;
  }

  /** Plays all steps; `failures` then has the unmet expectations. Throws Impossible. */
  *play(): Steps<void> {
    let path: Path = [...this.#path, "players"];
    try {
      this.begin();
      for (const [at, step] of this.#scenario.steps.entries()) {
        path = [...this.#path, "steps", at];
        yield* this.take(step, at);
      }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      refuse(path, "more happens up to here than a scenario may do: move the clock less, or split the scenario");
    }
  }

  /** Creates the players with their initial state. Throws Impossible or TooLong. */
  begin(): void {
    for (const [externalId, { attributes, ...begin }] of Object.entries(this.#scenario.players)) {
      const actor = this.#world.actor(externalId, begin);
      for (const [key, value] of Object.entries(attributes))
        this.#happen(actor, { kind: "attributes", key, value }, [...this.#path, "players", externalId, "attributes", key], "attributes");
    }
  }

  /** Does one step and checks its expectations. Throws Impossible or TooLong. */
  *take(step: ScenarioStep, at: number): Steps<void> {
    const actor = this.#world.actor(step.player ?? this.#scenario.player);
    const path = [...this.#path, "steps", at];
    yield* this.#open(actor);
    const refused = yield* this.#act(actor, step, path);
    const fail = (differences: readonly Difference[], section: Section, key: string) => {
      const why = differences.length === 0 ? [] : whyNot(this.#world, actor, section, key);
      this.failures.push(...differences.map((one, index) => ({ ...one, step: at + 1, why: index === 0 ? why : [] })));
    };
    if (refused !== null) {
      const wanted = ("refused" in step ? step.refused : undefined) ?? null;
      fail(differencesOf(wanted, refused.code, [...path, "refused"]), refused.section, refused.key);
    }
    if (step.expect === undefined) return;
    for (const [section, key, wanted] of expectedIn(step.expect)) {
      const where = [...path, "expect", section, ...(key === "" ? [] : [key])];
      if (key !== "") this.#known(section === "items" ? "catalogItems" : (section as KeyedKind), key, where);
      // A read of missions is the only way to see them, and it enters the player.
      if (section === "missions") yield* this.#world.readMissions(actor);
      const seen = this.#seen(actor, section, key);
      fail(differencesOf(wanted, section === "webhooks" ? inOrderOf(wanted, seen) : seen, where), section, key);
    }
  }

  /** Whether a read shows the scenario's player an offer of a mission. */
  *isOffered(key: string): Steps<boolean> {
    const actor = this.#world.actor(this.#scenario.player);
    yield* this.#open(actor);
    const mission = this.#world.definitions.missionsByKey.get(key)!;
    return acceptState(actor.player, mission, this.now) === "offered";
  }

  /** The present view of the scenario's player, in the form of expectations. */
  *seen(section: Section, key: string): Steps<unknown> {
    const actor = this.#world.actor(this.#scenario.player);
    if (section === "missions") yield* this.#world.readMissions(actor);
    return this.#seen(actor, section, key);
  }

  *#open(actor: Actor): Steps<void> {
    if (this.#scenario.opensApp) yield* this.#world.readMissions(actor);
  }

  /** Does the step. Returns the result of a step that can be refused, otherwise null. */
  *#act(actor: Actor, step: ScenarioStep, path: Path): Steps<{ code: string | null; section: Section; key: string } | null> {
    const world = this.#world;
    if ("event" in step || "metric" in step) {
      const kind = "event" in step ? ("events" as const) : ("metrics" as const);
      const [key, member] = "event" in step ? [step.event, "event"] : [step.metric, "metric"];
      this.#known(kind, key, [...path, member]);
      const properties = writeJson(step.properties);
      for (let round = 0; round < step.times; round++) {
        if (round > 0 && step.every !== undefined) yield* this.#wait(step.every, [...path, "every"]);
        if (round > 0) yield* this.#open(actor);
        this.#happen(actor, { kind, key, properties, value: "value" in step ? step.value : undefined, at: step.at }, path);
      }
    } else if ("attribute" in step) {
      this.#happen(actor, { kind: "attributes", key: step.attribute, value: step.value, at: step.at }, path, "attribute");
    } else if ("read" in step) {
      yield* world.readMissions(actor);
    } else if ("wait" in step) {
      yield* this.#wait(step.wait, [...path, "wait"]);
    } else if ("until" in step) {
      const until = parseInstant(step.until) ?? 0;
      if (until < world.now) refuse([...path, "until"], `is before the clock, which stands at ${formatInstant(world.now)}`);
      yield* world.moveTo(until);
    } else if ("accept" in step) {
      this.#known("missions", step.accept, [...path, "accept"]);
      return { code: this.#accept(actor, step.accept), section: "missions", key: step.accept };
    } else if ("buy" in step) {
      this.#known("marketplaceItems", step.buy, [...path, "buy"]);
      return { code: world.buy(actor, world.definitions.listingsByKey.get(step.buy)!), section: "marketplaceItems", key: step.buy };
    }
    return null;
  }

  #accept(actor: Actor, key: string): string | null {
    const mission = this.#world.definitions.missionsByKey.get(key)!;
    switch (acceptState(actor.player, mission, this.#world.now)) {
      case "never offered":
        return "mission.not_locked_in";
      case "closed":
        return "mission.offer_closed";
      case "offered":
        this.#world.accept(actor, mission);
        return null;
      case "in it":
        return null;
    }
  }

  *#wait(duration: string, path: Path): Steps<void> {
    const world = this.#world;
    const until = addDuration(world.now, world.definitions.timeZone, duration);
    if (until === null || until < world.now) return refuse(path, "must be a duration such as P1D (a day), PT90M or P2W");
    yield* world.moveTo(until);
  }

  /** A fact, checked like a request with it. `from` is the member with an attribute's key. */
  #happen(
    actor: Actor,
    {
      kind,
      key,
      properties = "{}",
      value,
      at,
    }: Pick<InventedFact, "kind" | "key"> & { properties?: string; value?: unknown; at?: string | undefined },
    path: Path,
    from?: string,
  ): void {
    const { now, definitions } = this.#world;
    if (kind === "attributes") this.#known(kind, key, from === "attribute" ? [...path, from] : path);
    const occurredAt = at === undefined ? now : (parseInstant(at) ?? now);
    if (isTooFarAhead(occurredAt, now)) refuse([...path, "at"], TOO_FAR_AHEAD);
    const given: InventedFact = {
      kind,
      key,
      properties,
      occurredAt: formatInstant(occurredAt),
      receivedAt: formatInstant(now),
      value: value === undefined ? null : writeJson(value),
    };
    const made = inventedFacts([given], definitions, now);
    if ("problems" in made)
      throw new Impossible(
        made.problems.map(({ pointer, message }) => ({ path: [...path, ...pointer.split("/").slice(2).map(unescaped)], message })),
      );
    for (const fact of thatChange(actor.player.attributes, made.facts).facts) this.#world.happen(actor, fact);
  }

  #known(kind: KeyedKind, key: string, path: Path): void {
    const keys = this.#stored.lists[kind].map(({ shaped }) => shaped.key);
    if (keys.includes(key)) return;
    refuse(path, fileSentence(mistake("definition.reference_unknown", { kind, key, suggestion: closest(key, keys) })));
  }

  #seen(actor: Actor, section: Section, key: string): unknown {
    const world = this.#world;
    const { missionsByKey, streaks, leaderboardsByKey, listingsByKey } = world.definitions;
    switch (section) {
      case "missions":
        return missionSeen(world, actor, missionsByKey.get(key)!);
      case "streaks":
        return streakSeen(
          world,
          actor,
          streaks.find((one) => one.key === key)!,
        );
      case "leaderboards":
        return placeSeen(world, actor, leaderboardsByKey.get(key)!);
      case "marketplaceItems":
        return listingSeen(world, actor, listingsByKey.get(key)!);
      case "segments":
        return isInSegment(world, actor, key);
      case "items":
        return itemsSeen(actor, key);
      case "points":
        return actor.player.balance;
      case "webhooks": {
        const sent = world.webhooks.slice(this.#compared).map(({ event, data }) => ({ event, ...data }));
        this.#compared = world.webhooks.length;
        return sent;
      }
    }
  }
}

const unescaped = (name: string): string => name.replaceAll("~1", "/").replaceAll("~0", "~");

/** The expectations by section and definition key; the key is empty for sections without definitions. */
function expectedIn(expectation: Expectation): [Section, string, unknown][] {
  return (Object.entries(expectation) as [Section, unknown][]).flatMap(([section, wanted]): [Section, string, unknown][] => {
    if (wanted === undefined) return [];
    if (section === "points" || section === "webhooks") return [[section, "", wanted]];
    return Object.entries(wanted as object).map(([key, one]) => [section, key, one]);
  });
}
