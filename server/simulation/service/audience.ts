import type { DefinitionProblem } from "../../definitions/problems.ts";
import type { Database, Transaction } from "../../../db/client.ts";
import { isTimeout } from "../../../db/errors.ts";
import { readOnly } from "../../../db/read-only.ts";
import type { Definitions } from "../../definitions/compiled.ts";
import { loadPreview } from "../../definitions/service/preview.ts";
import type { Documents } from "../../definitions/service/read-one.ts";
import type { Environment } from "../../kernel/environment.ts";
import { type PagedPlayer, playersByKey } from "../../players/service.ts";
import type { Condition } from "../../rules/condition.ts";
import { judge } from "../../segments/service/judge.ts";
import { estimate } from "../estimate.ts";
import { readWithAlong } from "./reading.ts";
import type { TriedKind } from "./trial.ts";

/** The bounds of a count: players in one page, in all, and the time. */
export interface Bounds {
  page: number;
  most: number;
  milliseconds: number;
}

const BOUNDS: Bounds = { page: 500, most: 5_000, milliseconds: 2_500 };

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
 * Counts the audience of a definition now. It evaluates every player where the environment has few; of many a fair sample, in the order of
 * keys that are hashes. It reads only.
 */
export async function findAudience(
  database: Database,
  environment: Environment,
  now: number,
  { kind, document, along = [] }: { kind: TriedKind; document: string; along?: Documents },
  bounds: Bounds = BOUNDS,
): Promise<{ problems: DefinitionProblem[]; audience: AudienceFound | null }> {
  const read = await readWithAlong(document, along);
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
    // The count until then holds.
    if (!isTimeout(error)) throw error;
  }
  return { problems: [], audience: count.found() };
}

class Count {
  rule: Condition | null = null;
  evaluated = 0;
  qualified = 0;
  isWhole = false;
  last: PagedPlayer | null = null;
  readonly sample: AudienceFound["sample"] = [];

  add(one: PagedPlayer, isQualified: boolean): void {
    this.evaluated++;
    this.last = one;
    if (!isQualified) return;
    this.qualified++;
    if (this.sample.length < SAMPLE) this.sample.push({ externalId: one.externalId, displayName: one.displayName });
  }

  found(): AudienceFound {
    const { evaluated, qualified, isWhole, sample } = this;
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
  { page, most, milliseconds }: Bounds,
): Promise<void> {
  const until = performance.now() + milliseconds;
  while (!count.isWhole && count.evaluated < most && performance.now() < until) {
    const players = await playersByKey(tx, environment.id, count.last, page);
    const { rule } = count;
    const judged = rule === null ? null : await judge(tx, environment.id, definitions, now, players, rule);
    for (const one of players) count.add(one, judged === null || judged.has(one.playerId));
    count.isWhole = players.length < page;
  }
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
