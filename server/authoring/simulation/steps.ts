import { shortDate } from "../../model/kernel/dates.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { type WordsWithObjectives, wordsOf } from "../../model/definitions/words.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import type { AttributeFact, EventFact, Fact } from "../../model/kernel/facts.ts";
import { pickText } from "../../model/kernel/texts.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import type { TrialLine, TrialStep } from "./shapes.ts";
import { plain } from "../../model/rules/value-words.ts";
import type { Occurrence, OccurrencePeriod } from "../../model/kernel/player.ts";
import type { Recurrence } from "../../model/rules/schedule.ts";

/** The context of a preview: definitions, clock and words. */
export interface Scene {
  definitions: Definitions;
  words: WordsWithObjectives;
  /** The present on the environment's clock. */
  now: number;
  language: string;
  itemName(key: string): string;
}

/** The scene of an environment's definitions, in the project's language and zone. */
export function sceneOf(
  { defaultLanguage, timeZone }: Pick<Environment, "defaultLanguage" | "timeZone">,
  stored: Parameters<typeof wordsOf>[0],
  definitions: Definitions,
  now: number,
): Scene {
  const items = new Map(stored.lists.catalogItems.map(({ shaped }) => [shaped.key, pickText(shaped.name, defaultLanguage)]));
  return {
    definitions,
    words: wordsOf(stored, defaultLanguage, timeZone),
    now,
    language: defaultLanguage,
    itemName: (key) => items.get(key) ?? key,
  };
}

export const line = (isMet: boolean | null, text: string): TrialLine => ({ isMet, text, depth: 0 });

/** The kind and details of a fact's step, and the name of its definition. */
function happened(fact: EventFact | AttributeFact, { definitions, words }: Scene): Pick<TrialStep, "kind" | "details"> & { name: string } {
  if (fact.kind === "attribute") {
    const value = { name: "value", value: plain(fact.value) };
    return { kind: "Attribute", name: words.nameOf(fact.attributeId), details: [value] };
  }
  const properties = Object.entries(fact.properties).map(([name, value]) => ({ name, value: plain(value) }));
  const details = fact.value === null ? properties : [{ name: "value", value: plain(fact.value) }, ...properties];
  return { kind: definitions.metricsById.has(fact.definitionId) ? "Metric" : "Event", name: words.nameOf(fact.definitionId), details };
}

/** A fact's step, with its verdict. */
export function factStep(
  fact: EventFact | AttributeFact,
  number: number,
  { counts, lines, rewards }: { counts: boolean; lines: TrialLine[]; rewards: string[] },
  scene: Scene,
): TrialStep {
  const { kind, name, details } = happened(fact, scene);
  return stepOf(fact, counts, { number, kind, title: `${name} #${number}`, details, lines, rewards });
}

/** A step that is no fact: an automatic consequence, or a remark. */
export const ownStep = (
  kind: "Entry" | "Accept" | "Remark",
  at: number,
  title: string,
  lines: TrialLine[],
  rewards: string[] = [],
): TrialStep => stepOf({ occurredAt: at, receivedAt: at }, null, { number: null, kind, title, details: [], lines, rewards });

/** A step, with the sentence that sums it up: the lines that decided. `counts`: null for a step that nothing decides about. */
export function stepOf(
  { occurredAt, receivedAt }: { occurredAt: number; receivedAt: number },
  counts: boolean | null,
  step: Omit<TrialStep, "occurredAt" | "receivedAt" | "outcome" | "sentence">,
): TrialStep {
  const outcome = counts === null ? "Neutral" : counts ? "Counts" : "DoesNotCount";
  const verdict = counts === null ? "" : counts ? " counts" : " does not count";
  const reasons = step.lines.filter(({ isMet }) => counts === null || isMet === null || isMet === counts).map(({ text }) => text);
  const sentence = `${step.title}${verdict}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}.`;
  return { ...step, occurredAt: formatInstant(occurredAt), receivedAt: formatInstant(receivedAt), outcome, sentence };
}

export const isHappening = (fact: Fact): fact is EventFact | AttributeFact => fact.kind === "event" || fact.kind === "attribute";

/** Which of the occurrences of a mission that repeats: "26 Oct", "week of 26 Oct", "month of 1 Oct", "repeat 2". */
export function occurrenceName(
  { recurrence }: { recurrence: Recurrence },
  { number, period }: Pick<Occurrence, "number"> & { period: Pick<OccurrencePeriod, "start"> | null },
): string {
  if (recurrence.kind !== "Calendar" || period === null) return `repeat ${number + 1}`;
  const day = shortDate(period.start);
  return recurrence.every === "Day" ? day : `${recurrence.every.toLowerCase()} of ${day}`;
}
