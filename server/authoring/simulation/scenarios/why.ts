import type { Leaderboard, Mission, Streak } from "../../../model/definitions/compiled.ts";
import { effectScores } from "../../../model/leaderboards/shape.ts";
import { explainPurchase } from "../../../model/marketplace/explain.ts";
import { isIn } from "../../../model/rules/audience.ts";
import { explainAudience } from "../../../model/segments/explain.ts";
import { explainStreak } from "../../../model/streaks/explain.ts";
import type { Happening } from "../invented.ts";
import { reasonOf } from "../leaderboards.ts";
import { missionStanding } from "../mission-standing.ts";
import { judged } from "../missions.ts";
import { factStep, isHappening, line, type Scene } from "../steps.ts";
import type { TrialLine } from "../shapes.ts";
import type { Actor, World } from "./world.ts";
import type { SimulatedStep } from "../../../engine/simulate.ts";

/** Explains an unmet expectation, in the words of a trial. */

/** The most facts in an explanation. */
const MAX_FACTS = 5;

export type Section = "missions" | "streaks" | "leaderboards" | "segments" | "marketplaceItems" | "points" | "items" | "webhooks";

export function whyNot(world: World, actor: Actor, section: Section, key: string): string[] {
  const { definitions } = world;
  const scene: Scene = { ...world.scene, words: { ...world.scene.words, zone: world.zoneOf(actor.player.timeZone) } };
  switch (section) {
    case "missions":
      return whyMission(scene, actor, definitions.missionsByKey.get(key)!);
    case "streaks":
      return whyStreak(
        scene,
        actor,
        definitions.streaks.find((one) => one.key === key)!,
      );
    case "leaderboards":
      return whyBoard(world, scene, actor, definitions.leaderboardsByKey.get(key)!);
    case "segments": {
      const { rule } = definitions.segments.find((one) => one.key === key)!;
      return verdicts(explainAudience(actor.player, rule, definitions, scene.words));
    }
    case "marketplaceItems": {
      const listing = definitions.listingsByKey.get(key)!;
      return explainPurchase(listing, actor.isKnown, world.eligibility(actor, listing), world.now, scene.words).checks.flatMap(
        ({ isMet, text }) => (isMet === false ? [`${text}.`] : []),
      );
    }
    case "points":
      return sentenceOf(
        actor.grants.map(({ points, from }) => `${points > 0 ? "+" : ""}${points} by ${from}`),
        "Nothing changed the balance.",
      );
    case "items":
      return sentenceOf(
        actor.items.filter((one) => one.key === key).map(({ value, from }) => `${JSON.stringify(value)} by ${from}`),
        "None was granted or bought.",
      );
    case "webhooks":
      return [];
  }
}

const sentenceOf = (lines: readonly string[], none: string): string[] => (lines.length === 0 ? [none] : [`${lines.join("; ")}.`]);

const verdicts = (lines: readonly TrialLine[]): string[] =>
  lines.map(({ isMet, text, depth }) => `${"  ".repeat(depth)}${isMet === true ? "✓" : "✗"} ${text}`);

function whyMission(scene: Scene, actor: Actor, mission: Mission): string[] {
  const { reason, audience } = missionStanding(scene, actor.player, mission);
  const reads = new Set(mission.objectives.flatMap(({ criteria }) => criteria.map(({ definitionId }) => definitionId)));
  return [
    `${reason}.`,
    ...verdicts(audience ?? []),
    ...uncounted(scene, actor, (step) => (reads.has(idOf(step.fact as Happening)) ? judged(scene, mission, step) : null)),
  ];
}

function whyStreak(scene: Scene, actor: Actor, streak: Streak): string[] {
  return uncounted(scene, actor, ({ fact, before }) => {
    const verdict = fact.kind === "event" ? explainStreak(before, scene.definitions, streak, fact, scene.words) : null;
    return verdict === null ? null : { counts: verdict.reason === null, lines: [line(false, verdict.reason ?? "")] };
  });
}

function whyBoard(world: World, scene: Scene, actor: Actor, board: Leaderboard): string[] {
  const places = world.places(board).slice(0, 10);
  const reads = (fact: Happening) => effectScores(board) !== null || board.definitionId === idOf(fact);
  return [
    ...(isIn(actor.player, board.audience) ? [] : ["The player is not in the audience."]),
    places.length === 0
      ? "There are no scores in this period."
      : `${places.map(({ rank, name, score }) => `${rank}. ${name} with ${score.toString()}`).join("; ")}.`,
    ...uncounted(scene, actor, ({ fact, after, effects }) => {
      if (!isHappening(fact) || !reads(fact)) return null;
      const counts = effects.some((effect) => effect.kind === "scoreChange" && effect.leaderboardId === board.id);
      return { counts, lines: counts ? [] : [line(false, reasonOf(scene, after, board, fact, effects))] };
    }),
  ];
}

const idOf = (fact: Happening): number => (fact.kind === "event" ? fact.definitionId : fact.attributeId);

/** The last facts that did not count, with their reasons. `judge` returns null for a fact that is not related. */
function uncounted(
  scene: Scene,
  { steps }: Actor,
  judge: (step: SimulatedStep) => { counts: boolean; lines: TrialLine[] } | null,
): string[] {
  let number = 0;
  const sentences = steps.flatMap((step) => {
    if (!isHappening(step.fact)) return [];
    number++;
    const verdict = judge(step);
    return verdict === null || verdict.counts ? [] : [factStep(step.fact, number, { ...verdict, rewards: [] }, scene).sentence];
  });
  return sentences.slice(-MAX_FACTS);
}
