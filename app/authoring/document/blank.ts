import type { Kind } from "../../../server/definitions/contract.ts";
import type { Draft } from "./draft.ts";
import { emptyText } from "./text.ts";

/** What a form begins with: the defaults of the file (definitions.md, Kinds), and the most usual choice where there is none. */
export function blankDraft(kind: Kind, language: string): Draft {
  const named = { key: "", name: emptyText(language), active: true };
  const shown = { ...named, description: emptyText(language), images: {} };
  switch (kind) {
    case "events":
      return { ...named, properties: [] };
    case "metrics":
      return { ...named, kind: "Number", properties: [] };
    case "attributes":
      return { ...named, type: "String" };
    case "segments":
      return { ...named, rule: null };
    case "catalogItems":
      return { ...shown, valueType: "Number" };
    case "missions":
      return {
        ...shown,
        optIn: "Automatic",
        objectiveOrder: "AnyOrder",
        appearsIn: "Feed",
        recurrence: { kind: "None" },
        audience: everyone(),
        window: always(),
        objectives: [],
        rewards: [],
      };
    case "missionCollections":
      return { ...shown, missions: [] };
    case "streaks":
      return {
        ...shown,
        event: null,
        metric: null,
        where: null,
        measure: { kind: "Count" },
        operator: "GreaterThanOrEqualTo",
        target: 1,
        cadence: "Day",
        freezes: null,
        milestones: [],
      };
    case "leaderboards":
      return {
        ...shown,
        scoreSource: "Event",
        event: null,
        metric: null,
        attribute: null,
        where: null,
        measure: { kind: "Count" },
        rankOrder: "HighestFirst",
        period: { kind: "Calendar", every: "Week" },
        settleAfterMinutes: 10,
        topSize: 100,
        audience: everyone(),
        teamAttribute: null,
        league: null,
        prizes: [],
      };
    case "marketplaceItems":
      return {
        ...shown,
        priceInPoints: null,
        contents: [],
        audience: everyone(),
        appearsIn: "Shop",
        onSale: always(),
        stock: null,
        limitPerPlayer: null,
        recurrence: { kind: "None" },
      };
    case "marketplaceCollections":
      return { ...shown, items: [] };
    case "exchangeRates":
      return { currencyCode: "", rate: null };
    case "pointsValuations":
      return { effectiveFrom: null, points: 100, amount: null, currency: "" };
  }
}

const everyone = () => ({ rule: null, otherwise: "Locked" });
const always = () => ({ startsAt: null, endsAt: null });

/** A copy to go on from, under a key of its own. */
export const copyOf = (draft: Draft, key: string): Draft => ({ ...draft, key, active: true });

/** "coffee_lover" → "coffee_lover_2", "coffee_lover_2" → "coffee_lover_3": the first that is free. */
export function nextKey(key: string, isTaken: (key: string) => boolean): string {
  const [, stem = key, number] = /^(.*?)(?:_(\d{1,6}))?$/.exec(key) ?? [];
  for (let next = number === undefined ? 2 : Number(number) + 1; ; next++) {
    const suffix = `_${next}`;
    const candidate = `${stem.slice(0, 100 - suffix.length)}${suffix}`;
    if (!isTaken(candidate)) return candidate;
  }
}
