import { instantInWords } from "../../model/kernel/dates.ts";
import type { MissionMove, Moved, ReadingMove, ScoreMove } from "../../engine/moved.ts";
import type { ScoreChange } from "../../model/rules/effects.ts";
import { counterText } from "../../model/rules/operator.ts";
import { plain, scalarInWords } from "../../model/rules/value-words.ts";
import type { EventOutcome } from "./events.ts";
import { occurrenceName, line, type Scene } from "./steps.ts";
import { rewardTexts } from "../../model/rules/reward.ts";
import { streakLines } from "./streaks.ts";

/**
 * The recorded effects of an event in words: an outcome for each mission, streak and board that it moved. Names are the present ones;
 * readings and targets are those at the time the event was applied. Objectives are numbered if definitions have changed since: they may be
 * other objectives now.
 */
export function movedOutcomes(
  scene: Scene,
  { missions, streaks, leaderboards, rewards }: Moved,
  hasNewDefinitions: boolean,
): EventOutcome[] {
  return [
    ...outcomesOf(missions, "missions", (own) => own.flatMap((move) => missionLines(scene, move, own.length > 1, hasNewDefinitions))),
    ...outcomesOf(streaks, "streaks", (own) => own.flatMap((move) => streakLines(scene, move))),
    ...outcomesOf(leaderboards, "leaderboards", (own) => own.map((move) => scoreLine(scene, move))),
  ];

  function outcomesOf<Move extends { id: number; key: string }>(
    moves: readonly Move[],
    kind: EventOutcome["kind"],
    tell: (own: readonly Move[]) => string[],
  ): EventOutcome[] {
    return [...Map.groupBy(moves, ({ id }) => id)].map(([id, own]) => ({
      kind,
      key: own[0]!.key,
      name: scene.words.nameOf(id),
      counts: true,
      lines: tell(own).map((text) => line(true, text)),
      rewards: rewardTexts(
        rewards.filter(({ sourceDefinitionId }) => sourceDefinitionId === id),
        scene,
      ),
    }));
  }
}

function missionLines(scene: Scene, move: MissionMove, isOneOfMany: boolean, hasNewDefinitions: boolean): string[] {
  const { recurrence, number, period, begins, isCompleted, objectives, moved } = move;
  const labels = hasNewDefinitions ? [] : scene.words.objectivesOf(move.id);
  const name = isOneOfMany ? `${occurrenceName({ recurrence }, { number, period })}: ` : "";
  return [
    ...(begins === null ? [] : [begins === "Entered" ? "the player enters the mission" : "the mission is offered"]),
    ...moved.map(({ index, isDone, readings }) => {
      const which = objectives > 1 ? `${labels[index] ?? `objective ${index + 1}`}: ` : "";
      // An objective that was met by hand, or without a count, has no reading to show.
      const stands = readings.length === 0 ? "met" : readings.map((reading) => readingText(scene, reading)).join("; ");
      return `${which}${stands}${isDone ? " ✓" : ""}`;
    }),
    ...(isCompleted ? ["the mission is completed"] : []),
  ].map((text) => `${name}${text}`);
}

/** "3 of 5, was 2" */
function readingText({ words }: Scene, { was, is, type, operator, target }: ReadingMove): string {
  const stands = counterText(is, { type, operator, value: target, timeZone: words.zone });
  return was === null ? stands : `${stands}, was ${scalarInWords(was, type, words.zone)}`;
}

/** How a board combines values. */
const KEEPS: Record<Exclude<ScoreChange["by"], "Sum" | "Set">, string> = {
  Max: "; the highest counts",
  Min: "; the lowest counts",
  Latest: "; the latest counts",
  Carry: "",
};

/** "adds 5 to the score from … to …" */
function scoreLine({ words }: Scene, { period: { startsAt, endsAt }, team, change: { by, value } }: ScoreMove): string {
  const when =
    startsAt === null || endsAt === null ? "" : ` from ${instantInWords(startsAt, words.zone)} to ${instantInWords(endsAt, words.zone)}`;
  const score = `${team === null ? "the score" : `the score of ${team}`}${when}`;
  if (by === "Sum") return `adds ${plain(value)} to ${score}`;
  return by === "Set" ? `sets ${score} to ${plain(value)}` : `gives ${score} a value of ${plain(value)}${KEEPS[by]}`;
}
