import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { type Database, readOnly, type Transaction, isTimeout } from "#db/client.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { loadPreview } from "../../definitions/service/preview.ts";
import { type Documents, readDocument } from "../../definitions/service/read-one.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { type PagedPlayer, playersByKey } from "#server/game/players/service/players.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { type Condition, inputName, inputsIn } from "#server/model/rules/condition.ts";
import { judge, TooMuchToRead } from "#server/game/segments/service/judge.ts";
import { estimate } from "../estimate.ts";
import type { TriedKind } from "../shapes.ts";

/** The limits of a count: players per page and in all, time, and logged facts per page. */
export interface Bounds {
  page: number;
  most: number;
  milliseconds: number;
  facts?: number;
}

const MAX_FACTS_OF_PAGE = 20_000;
const BOUNDS: Bounds = { page: 500, most: 5_000, milliseconds: 2_500 };

/** The most distinct inputs of a rule from a player's history and streaks. A count's work is inputs times players. */
export const MAX_PREVIEWED_INPUTS = 200;

/** Inputs times players. */
const MAX_INPUTS_OF_PAGE = 10_000;

/** The first page is small, so that slow players still give a result. */
const FIRST_PAGE = 20;

const SAMPLE = 10;

export interface AudienceFound {
  isEverybody: boolean;
  evaluated: number;
  qualified: number;
  isEstimate: boolean;
  players: number;
  qualifying: number;
  sample: { externalId: string; displayName: string | null }[];
}

/**
 * Counts an audience now: every player of a small environment, otherwise a fair sample in the order of keys, which are hashes. Read-only.
 */
export async function findAudience(
  database: Database,
  environment: Environment,
  now: number,
  { kind, document, along = [] }: { kind: TriedKind; document: string; along?: Documents },
  bounds: Bounds = BOUNDS,
): Promise<{ problems: DefinitionProblem[]; audience: AudienceFound | null }> {
  const read = await readDocument(document, along);
  if ("problems" in read) return { problems: read.problems, audience: null };
  const count = new Count();
  try {
    const problems = await readOnly(database, async (tx) => {
      const previewed = await loadPreview(tx, environment, now, kind, read.document, read.along);
      if ("problems" in previewed) return previewed.problems;
      count.rule = ruleOf(previewed.definitions, kind, previewed.id);
      await countPages(tx, environment, previewed.definitions, now, count, bounds);
      return [];
    });
    if (problems.length > 0) return { problems, audience: null };
  } catch (error) {
    // The count so far is still valid.
    if (!isTimeout(error)) throw error;
  }
  return { problems: [], audience: count.found() };
}

class Count {
  rule: Condition | null = null;
  evaluated = 0;
  qualified = 0;
  isAtEnd = false;
  hasSkipped = false;
  last: PagedPlayer | null = null;
  readonly sample: AudienceFound["sample"] = [];

  add(one: PagedPlayer, isQualified: boolean): void {
    this.evaluated++;
    this.last = one;
    if (!isQualified) return;
    this.qualified++;
    if (this.sample.length < SAMPLE) this.sample.push({ externalId: one.externalId, displayName: one.displayName });
  }

  /** Skips a player whose history is too long to read. */
  skip(one: PagedPlayer): void {
    this.last = one;
    this.hasSkipped = true;
  }

  found(): AudienceFound {
    const { evaluated, qualified, sample } = this;
    const isWhole = this.isAtEnd && !this.hasSkipped;
    const { players, qualifying } = isWhole
      ? { players: evaluated, qualifying: qualified }
      : estimate(evaluated, qualified, this.last?.playerId ?? null);
    return { isEverybody: this.rule === null, evaluated, qualified, isEstimate: !isWhole, players, qualifying, sample };
  }
}

async function countPages(
  tx: Transaction,
  environment: Environment,
  definitions: Definitions,
  now: number,
  count: Count,
  { page, most, milliseconds, facts = MAX_FACTS_OF_PAGE }: Bounds,
): Promise<void> {
  const { rule } = count;
  const until = performance.now() + milliseconds;
  const inputs = mustBePreviewed(rule);
  const largest = Math.max(1, Math.min(page, Math.floor(MAX_INPUTS_OF_PAGE / Math.max(1, inputs))));
  let size = Math.min(largest, inputs === 0 ? page : FIRST_PAGE);
  while (!count.isAtEnd && count.evaluated < most && performance.now() < until) {
    const wanted = Math.min(size, most - count.evaluated);
    const players = await playersByKey(tx, environment.id, count.last, wanted);
    try {
      const bounds = { maxFacts: facts, until };
      const judged = rule === null ? null : await judge(tx, environment.id, definitions, now, players, rule, bounds);
      for (const one of players) count.add(one, judged === null || judged.has(one.playerId));
      count.isAtEnd = players.length < wanted;
      size = Math.min(largest, size * 2);
    } catch (error) {
      if (!(error instanceof TooMuchToRead)) throw error;
      if (error.of === "time") return;
      // A single player may exceed the limit of a page.
      if (wanted === 1) count.skip(players[0]!);
      else size = Math.ceil(wanted / 8);
    }
  }
}

/** How many inputs a rule has. Throws an OperatorError where these are too many for a preview. */
function mustBePreviewed(rule: Condition | null): number {
  const inputs = rule === null ? 0 : new Set(inputsIn(rule).map(inputName)).size;
  if (inputs > MAX_PREVIEWED_INPUTS)
    throw new OperatorError(
      `This rule asks ${inputs.toLocaleString("en")} different things of a player's history, and a preview counts rules with up to ${MAX_PREVIEWED_INPUTS}. Ask fewer things, or combine conditions that are alike.`,
    );
  return inputs;
}

function ruleOf({ missions, leaderboards, listings }: Definitions, kind: TriedKind, id: number): Condition | null {
  switch (kind) {
    case "missions":
      return missions.find((one) => one.id === id)?.audience.rule ?? null;
    case "leaderboards":
      return leaderboards.find((one) => one.id === id)?.audience.rule ?? null;
    case "marketplaceItems":
      return listings.find((one) => one.id === id)?.audience.rule ?? null;
    case "streaks":
      return null;
  }
}
