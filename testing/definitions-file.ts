// Written by scripts/definitions-types.mjs.

/** The webhook events. */
export const WEBHOOK_EVENTS = [
  "mission.completed",
  "catalog_item.fulfillment_requested",
  "streak.milestone_reached",
  "leaderboard.period_closed",
] as const;

/** The content of a definitions file. */
export type Definitions = {
  version?: 1;
  discovery?: { events?: boolean | null; attributes?: boolean | null } | null;
  baseCurrency?: string | null;
  events?: readonly { key: string; name: Part1; active?: boolean | null; properties?: readonly Part2[] | null }[] | null;
  metrics?:
    | readonly { key: string; name: Part1; active?: boolean | null; kind: "Number" | "Currency"; properties?: readonly Part2[] | null }[]
    | null;
  exchangeRates?: readonly { currencyCode: string; rate: unknown }[] | null;
  attributes?: readonly { key: string; name: Part1; active?: boolean | null; type: "String" | "Number" | "Boolean" | "DateTime" }[] | null;
  segments?: readonly { key: string; name: Part1; active?: boolean | null; rule: Part3 }[] | null;
  catalogItems?:
    | readonly {
        key: string;
        name: Part1;
        active?: boolean | null;
        description?: Part4;
        images?: Record<string, unknown> | null;
        valueType: "String" | "Number" | "Boolean" | "DateTime" | "Collection";
      }[]
    | null;
  missions?:
    | readonly {
        key: string;
        name: Part1;
        active?: boolean | null;
        description?: Part4;
        images?: Record<string, unknown> | null;
        optIn?: "Automatic" | "Manual" | null;
        objectiveOrder?: "AnyOrder" | "InOrder" | null;
        appearsIn?: "Feed" | "CollectionOnly" | null;
        recurrence?: Part5 | Part6 | { kind: "AfterCompletion"; cooldownHours?: unknown; maxOccurrences?: number | null } | null;
        audience?: Part7 | null;
        window?: Part8 | null;
        objectives: readonly Part9[];
        rewards: readonly Part10[];
      }[]
    | null;
  missionCollections?:
    | readonly {
        key: string;
        name: Part1;
        active?: boolean | null;
        description?: Part4;
        images?: Record<string, unknown> | null;
        missions: readonly string[];
      }[]
    | null;
  streaks?:
    | readonly {
        key: string;
        name: Part1;
        active?: boolean | null;
        description?: Part4;
        images?: Record<string, unknown> | null;
        event?: string | null;
        metric?: string | null;
        where?: Part11 | null;
        measure?: Part12 | null;
        operator?:
          | "EqualTo"
          | "NotEqualTo"
          | "GreaterThan"
          | "GreaterThanOrEqualTo"
          | "LessThan"
          | "LessThanOrEqualTo"
          | "In"
          | "NotIn"
          | null;
        target?: unknown;
        cadence: "Day" | "Week" | "Month";
        freezes?: { max: number; earnEvery: number } | null;
        milestones?: readonly Part13[] | null;
      }[]
    | null;
  leaderboards?:
    | readonly {
        key: string;
        name: Part1;
        active?: boolean | null;
        description?: Part4;
        images?: Record<string, unknown> | null;
        scoreSource: "Event" | "Metric" | "Points" | "Attribute";
        event?: string | null;
        metric?: string | null;
        attribute?: string | null;
        where?: Part11 | null;
        measure?: { kind: "Count" } | { kind: "Sum" | "Max" | "Min" | "Latest"; property?: string | null } | null;
        rankOrder: "HighestFirst" | "LowestFirst";
        period: { kind: "AllTime" } | Part6 | { kind: "Season"; startsAt: string; endsAt: string };
        settleAfterMinutes?: number | null;
        topSize?: number | null;
        audience?: Part7 | null;
        teamAttribute?: string | null;
        league?: { groupSize: number; tiers: readonly Part14[]; promotes: number; relegates: number } | null;
        prizes?: readonly Part15[] | null;
      }[]
    | null;
  marketplaceItems?:
    | readonly {
        key: string;
        name: Part1;
        active?: boolean | null;
        description?: Part4;
        images?: Record<string, unknown> | null;
        priceInPoints: number;
        contents: readonly Part16[];
        audience?: Part7 | null;
        appearsIn?: "Shop" | "CollectionOnly" | null;
        onSale?: Part8 | null;
        stock?: number | null;
        limitPerPlayer?: number | null;
        recurrence?: Part5 | Part6 | null;
      }[]
    | null;
  marketplaceCollections?:
    | readonly {
        key: string;
        name: Part1;
        active?: boolean | null;
        description?: Part4;
        images?: Record<string, unknown> | null;
        items: readonly string[];
      }[]
    | null;
  pointsValuations?: readonly { effectiveFrom: string; points: number; amount: unknown; currency: string }[] | null;
  images?: readonly { id: string; bytes: string }[] | null;
};

type Part1 = string | { default: string; texts: Record<string, string | null> };

type Part2 = { key: string; type: "String" | "Number" | "Boolean" | "DateTime"; required?: boolean | null; private?: boolean | null };

type Part3 =
  | {
      event: string;
      where?: Part11 | null;
      measure?: Part17;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      value: unknown;
      lastDays?: number | null;
    }
  | {
      attribute: string;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      value: unknown;
    }
  | { segment: string }
  | {
      points: "Balance";
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      value: unknown;
    }
  | { missionCompleted: string }
  | { all: readonly Part3[] }
  | { any: readonly Part3[] }
  | { not: Part3 }
  | {
      metric: string;
      where?: Part11 | null;
      measure?: Part12 | null;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      value: unknown;
      lastDays?: number | null;
    }
  | {
      streak: string;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      value: unknown;
    }
  | { share: number; salt?: string | null };

type Part4 = string | { default: string; texts: Record<string, string | null> } | null;

type Part5 = { kind: "None" };

type Part6 = { kind: "Calendar"; every: "Day" | "Week" | "Month" };

type Part7 = { rule?: Part3 | null; otherwise?: "Locked" | "Hidden" | null };

type Part8 = { startsAt?: string | null; endsAt?: string | null };

type Part9 =
  | {
      description?: Part4;
      event: string;
      where?: Part11 | null;
      measure?: Part17;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      target: unknown;
    }
  | {
      description?: Part4;
      attribute: string;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      target: unknown;
    }
  | { description?: Part4; all: readonly Part9[] }
  | { description?: Part4; any: readonly Part9[] }
  | { description?: Part4; not: Part9 }
  | {
      description?: Part4;
      metric: string;
      where?: Part11 | null;
      measure?: Part12 | null;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      target: unknown;
    };

type Part10 = { kind: "Points"; points: number } | { kind: "CatalogItem"; catalogItem: string; value: unknown };

type Part11 =
  | {
      property: string;
      operator: "EqualTo" | "NotEqualTo" | "GreaterThan" | "GreaterThanOrEqualTo" | "LessThan" | "LessThanOrEqualTo" | "In" | "NotIn";
      value: unknown;
    }
  | { all: readonly Part11[] }
  | { any: readonly Part11[] }
  | { not: Part11 }
  | {
      when: {
        weekdays?: readonly ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[] | null;
        from?: string | null;
        until?: string | null;
      };
    };

type Part12 =
  | { kind: "Count" }
  | { kind: "DistinctDays" }
  | { kind: "Sum" | "Max" | "Min" | "Latest" | "DistinctCount"; property?: string | null };

type Part13 = { length: number; rewards: readonly Part10[] };

type Part14 = { key: string; name: Part1 };

type Part15 = { fromRank: number; toRank: number; rewards: readonly Part10[] };

type Part16 = { catalogItem: string; value: unknown };

type Part17 =
  | { kind: "Count" }
  | { kind: "DistinctDays" }
  | { kind: "Sum" | "Max" | "Min" | "Latest" | "DistinctCount"; property: string }
  | null;
