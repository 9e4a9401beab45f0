import { formatted } from "../../model/kernel/thousands.ts";
import type { Condition } from "../../model/rules/condition.ts";
import { leaves } from "../../model/rules/tree.ts";
import { instantInWords } from "../../model/rules/value-words.ts";
import type { Window } from "./play.ts";
import type { BacktestedOne } from "./playable.ts";

interface Told extends Window {
  /** The start of the window that was asked for. */
  wished: number;
  zone: string;
  gaps: { purgedBefore: number | null; erased: number };
  sample: { players: readonly unknown[]; population: number; first: object | null; strata: readonly { size: number }[] };
  late: number;
  leftOut: number;
  isWhole: boolean;
  one: BacktestedOne;
}

const players = (count: number): string => (count === 1 ? "1 player" : `${formatted(count)} players`);

/** What a backtest assumes, and what it does not know, in sentences. */
export function notesOn({ entry, from, wished, zone, gaps, sample, late, leftOut, isWhole, one }: Told): string[] {
  const notes: string[] = [];
  const began = instantInWords(from, zone);
  if (one.kind === "streaks") {
    notes.push(`Assumes that the streak began on ${began}. Runs from before then are not continued.`);
  } else {
    notes.push(
      entry === "WindowStart"
        ? `Assumes that everyone opened the mission on ${began}, and again before each of their events. Every offer is accepted.`
        : "Assumes that players open the mission just before each of their events that it counts. Every offer is accepted.",
      ...notesOnMission(one.given),
    );
  }
  const idle = Math.round(sample.strata[0]?.size ?? 0);
  if (idle > 0) notes.push(`${players(idle)} had no event in this time.`);
  if (sample.players.length < sample.population)
    notes.push(
      `Estimated from ${players(sample.players.length)} of ${sample.first === null ? "" : "about "}${formatted(sample.population)}, chosen at random by how active they are.`,
    );
  if (from > wished) notes.push(`Older events were deleted by the retention setting, so the days begin on ${began}.`);
  if (gaps.erased > 0) notes.push(`${players(gaps.erased)} erased in this time ${gaps.erased === 1 ? "is" : "are"} not included.`);
  if (late > 0) notes.push(`${formatted(late)} imported events are used at the time when they happened.`);
  if (leftOut > 0) notes.push(`${players(leftOut)} with too many events to read ${leftOut === 1 ? "is" : "are"} left out.`);
  if (!isWhole) notes.push("It ran out of time: the figures are of the players that were reached by then, and the intervals wider.");
  return notes;
}

function notesOnMission({ audience, window, objectives }: Extract<BacktestedOne, { kind: "missions" }>["given"]): string[] {
  const notes: string[] = [];
  if (window.startsAt !== null || window.endsAt !== null) notes.push("The mission's own start and end are ignored.");
  const asked = audience.rule === null ? [] : leaves<Condition>(audience.rule);
  const today = [
    ...(asked.some(({ kind }) => kind === "attribute") ||
    objectives.some(({ criteria }) => criteria.some(({ source }) => source === "Attribute"))
      ? ["attributes"]
      : []),
    ...(asked.some(({ kind }) => kind === "balance") ? ["points balances"] : []),
    ...(asked.some(({ kind }) => kind === "missionCompleted") ? ["completed missions"] : []),
    ...(asked.some((leaf) => leaf.kind === "input" && "streak" in leaf.input) ? ["streaks"] : []),
  ];
  if (today.length > 0)
    notes.push(`Uses the ${new Intl.ListFormat("en").format(today)} that players have today: earlier ones are not stored.`);
  return notes;
}
