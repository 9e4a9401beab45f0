import { type Catalogue, find, nameIn } from "../catalogue.ts";
import type { Audience, Reward, Span } from "../rules/shapes.ts";
import { listed, missing, named, type Phrase, say, valued, words } from "./parts.ts";
import { conditionPhrase } from "./rules.ts";
import { instantInWords, numberInWords, valuePhrase } from "./values.ts";

/** "100 points and 2 × Free coffee" */
export function rewardsPhrase(rewards: readonly Reward[], catalogue: Catalogue): Phrase {
  if (rewards.length === 0) return missing("no reward yet");
  return listed(
    rewards.map((reward) => rewardPhrase(reward, catalogue)),
    "and",
  );
}

function rewardPhrase(reward: Reward, catalogue: Catalogue): Phrase {
  if (reward.kind === "Points") {
    const { points } = reward;
    return points === null ? missing("… points") : valued(`${numberInWords(points)} ${points === 1 ? "point" : "points"}`);
  }
  return itemPhrase(reward, catalogue);
}

/** "2 × Free coffee", "Cup colours (red and blue)" */
export function itemPhrase(
  { catalogItem, value }: Pick<Extract<Reward, { kind: "CatalogItem" }>, "catalogItem" | "value">,
  catalogue: Catalogue,
): Phrase {
  if (catalogItem === null || catalogItem === "") return missing("an item");
  const name = named(nameIn(catalogue.catalogItems, catalogItem));
  const type = find(catalogue.catalogItems, catalogItem)?.valueType;
  const what = valuePhrase(value, { type: type === "Collection" ? undefined : type, timeZone: catalogue.timeZone, last: "and" });
  if (type === "Number") return value === 1 ? name : say`${what} × ${name}`;
  return say`${name} (${what})`;
}

export function audiencePhrase({ rule, otherwise }: Audience, catalogue: Catalogue): Phrase {
  if (rule === null || rule === undefined) return words("Everyone");
  const others = otherwise === "Locked" ? "others see it locked" : "others do not see it";
  return say`Only players for whom this holds: ${conditionPhrase(rule, catalogue)}; ${others}`;
}

/** "From 1 Jan 2026, 00:00 until 1 Feb 2026, 00:00" */
export function spanPhrase({ startsAt, endsAt }: Span, timeZone: string): Phrase {
  const at = (instant: string) => valued(instantInWords(instant, timeZone));
  if (startsAt !== null && endsAt !== null) return say`From ${at(startsAt)} until ${at(endsAt)}`;
  if (startsAt !== null) return say`From ${at(startsAt)} on`;
  if (endsAt !== null) return say`Until ${at(endsAt)}`;
  return words("Always");
}

export const EVERY = { Day: "Every day", Week: "Every week", Month: "Every month" } as const;
export type Every = keyof typeof EVERY;

export type Recurrence =
  | { kind: "None" }
  | { kind: "Calendar"; every: Every }
  | { kind: "AfterCompletion"; cooldownHours?: unknown; maxOccurrences?: number | null };

export function recurrencePhrase(recurrence: Recurrence): Phrase {
  switch (recurrence.kind) {
    case "None":
      return words("Once");
    case "Calendar":
      return words(EVERY[recurrence.every]);
    case "AfterCompletion": {
      const { cooldownHours, maxOccurrences } = recurrence;
      const pause = cooldownHours === null || cooldownHours === undefined ? "" : say`, ${valued(`${String(cooldownHours)} h`)} after it`;
      const most =
        maxOccurrences === null || maxOccurrences === undefined ? "" : say`, at most ${valued(`${numberInWords(maxOccurrences)} times`)}`;
      return say`Again after each completion${pause}${most}`;
    }
  }
}
