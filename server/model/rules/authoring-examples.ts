/** A need of an example: an existing definition, or one created with it. */
export interface ExampleNeed {
  /** The name used in the example's own definition. */
  name: string;
  kind: "events" | "metrics" | "attributes";
  /** Its meaning, as the end of a sentence: "a purchase". */
  standsFor: string;
  /** The definition to create if no existing one is chosen. */
  definition: { key: string; name: string } & Record<string, unknown>;
  /** The property that the example reads; the chosen definition must have it. */
  property?: { key: string; type: "Number" | "String" };
}

interface Choice {
  key: string;
  property?: string;
}

/** The choice for each need, by its name. */
export type ExampleChoices = Readonly<Record<string, Choice>>;

/** A definition worth copying. */
export interface AuthoringExample {
  /** The example's name in the page's address. */
  key: string;
  kind: "missions" | "streaks" | "leaderboards";
  title: string;
  /** When to use it, as a sentence. */
  goodFor: string;
  /** The player's task and reward, as a sentence. */
  summary: string;
  needs: readonly ExampleNeed[];
  define(chosen: ExampleChoices): { key: string } & Record<string, unknown>;
}

const points = (amount: number) => [{ kind: "Points", points: amount }];
const AT_LEAST = "GreaterThanOrEqualTo";

const anEvent = (
  name: string,
  standsFor: string,
  definition: { key: string; name: string },
  property?: ExampleNeed["property"],
): ExampleNeed => ({
  name,
  kind: "events",
  standsFor,
  definition: { ...definition, properties: property === undefined ? [] : [{ ...property, required: false }] },
  ...(property && { property }),
});
const order = (property?: ExampleNeed["property"]) =>
  anEvent("order", "a purchase", { key: "order_placed", name: "Order placed" }, property);
const AMOUNT = { key: "amount", type: "Number" } as const;
const visit = anEvent("visit", "a visit or the start of your app", { key: "app_opened", name: "App opened" });
const invitation = anEvent("invitation", "a friend who joins through an invitation", { key: "friend_joined", name: "Friend joined" });

const steps: ExampleNeed = {
  name: "effort",
  kind: "metrics",
  standsFor: "an amount that adds up, such as steps, minutes or pages",
  definition: { key: "steps", name: "Steps", kind: "Number", properties: [] },
};

/** An example as it is written below: its definition is without its key, and takes the choices in the order of the needs. */
interface Written extends Omit<AuthoringExample, "define"> {
  define: (...chosen: Choice[]) => Record<string, unknown>;
}

const WRITTEN: readonly Written[] = [
  {
    key: "first_order",
    kind: "missions",
    title: "First order",
    goodFor: "Activation: gets people who signed up over the first step.",
    summary: "50 points for the first order, once.",
    needs: [order()],
    define: ({ key: event }) => ({
      name: "Your first order",
      description: "Place your first order.",
      objectives: [{ event, measure: { kind: "Count" }, operator: AT_LEAST, target: 1 }],
      rewards: points(50),
    }),
  },
  {
    key: "weekly_regular",
    kind: "missions",
    title: "Three days a week",
    goodFor: "Habit: rewards coming back on different days, not one large order.",
    summary: "30 points for orders on three days of a week, every week.",
    needs: [order()],
    define: ({ key: event }) => ({
      name: "Three days this week",
      description: "Order on three different days this week.",
      recurrence: { kind: "Calendar", every: "Week" },
      objectives: [{ event, measure: { kind: "DistinctDays" }, operator: AT_LEAST, target: 3 }],
      rewards: points(30),
    }),
  },
  {
    key: "big_basket",
    kind: "missions",
    title: "Bigger baskets",
    goodFor: "Order value: only orders above an amount count, so baskets grow.",
    summary: "100 points for two orders of 25 or more in a month.",
    needs: [order(AMOUNT)],
    define: ({ key: event, property }) => ({
      name: "Two big baskets",
      description: "Place two orders of 25 or more this month.",
      recurrence: { kind: "Calendar", every: "Month" },
      objectives: [
        { event, where: { property, operator: AT_LEAST, value: 25 }, measure: { kind: "Count" }, operator: AT_LEAST, target: 2 },
      ],
      rewards: points(100),
    }),
  },
  {
    key: "try_something_new",
    kind: "missions",
    title: "Try something new",
    goodFor: "Discovery: leads people to products they have not bought before.",
    summary: "80 points for three different products.",
    needs: [order({ key: "product", type: "String" })],
    define: ({ key: event, property }) => ({
      name: "Explorer",
      description: "Try three different products.",
      objectives: [{ event, measure: { kind: "DistinctCount", property }, operator: AT_LEAST, target: 3 }],
      rewards: points(80),
    }),
  },
  {
    key: "come_back",
    kind: "missions",
    title: "Come back",
    goodFor: "Win-back: speaks only to customers who have not ordered for 30 days.",
    summary: "120 points for one order; hidden from players who ordered lately or never did.",
    needs: [order()],
    define: ({ key: event }) => {
      const ordered = { event, measure: { kind: "Count" }, operator: AT_LEAST, value: 1 };
      return {
        name: "We missed you",
        description: "Place an order and get a welcome back.",
        audience: { rule: { all: [ordered, { not: { ...ordered, lastDays: 30 } }] }, otherwise: "Hidden" },
        objectives: [{ event, measure: { kind: "Count" }, operator: AT_LEAST, target: 1 }],
        rewards: points(120),
      };
    },
  },
  {
    key: "bring_a_friend",
    kind: "missions",
    title: "Bring a friend",
    goodFor: "Referral: each friend counts, up to a limit that keeps the cost known.",
    summary: "200 points for each friend who joins, at most ten times.",
    needs: [invitation],
    define: ({ key: event }) => ({
      name: "Bring a friend",
      description: "Invite a friend. You are rewarded when they join.",
      recurrence: { kind: "AfterCompletion", maxOccurrences: 10 },
      objectives: [{ event, measure: { kind: "Count" }, operator: AT_LEAST, target: 1 }],
      rewards: points(200),
    }),
  },
  {
    key: "daily_visit",
    kind: "streaks",
    title: "Daily visits",
    goodFor: "Daily habit: freezes forgive a missed day, so a long streak does not end there.",
    summary: "Counts days in a row with a visit; rewards 3, 7 and 30 days.",
    needs: [visit],
    define: ({ key: event }) => ({
      name: "Daily visits",
      description: "Visit every day.",
      event,
      measure: { kind: "Count" },
      operator: AT_LEAST,
      target: 1,
      cadence: "Day",
      freezes: { max: 2, earnEvery: 7 },
      milestones: [
        { length: 3, rewards: points(10) },
        { length: 7, rewards: points(30) },
        { length: 30, rewards: points(200) },
      ],
    }),
  },
  {
    key: "weekly_goal",
    kind: "streaks",
    title: "Weekly goal",
    goodFor: "Effort that adds up: people choose their own days and reach the goal by the end of the week.",
    summary: "Counts weeks in a row in which 50,000 were reached; rewards 2, 4 and 12 weeks.",
    needs: [steps],
    define: ({ key: metric }) => ({
      name: "Weekly goal",
      description: "Reach the goal every week.",
      metric,
      measure: { kind: "Sum" },
      operator: AT_LEAST,
      target: 50_000,
      cadence: "Week",
      milestones: [
        { length: 2, rewards: points(50) },
        { length: 4, rewards: points(150) },
        { length: 12, rewards: points(600) },
      ],
    }),
  },
  {
    key: "weekly_league",
    kind: "leaderboards",
    title: "Weekly league",
    goodFor: "Competition that stays fair: groups of 30 with players of the same tier, so newcomers can win too.",
    summary: "Ranks points earned in a week; the best five move up a tier, the last five down.",
    needs: [],
    define: () => ({
      name: "Weekly league",
      description: "Earn points and move up.",
      scoreSource: "Points",
      rankOrder: "HighestFirst",
      period: { kind: "Calendar", every: "Week" },
      league: {
        groupSize: 30,
        tiers: [
          { key: "bronze", name: "Bronze" },
          { key: "silver", name: "Silver" },
          { key: "gold", name: "Gold" },
        ],
        promotes: 5,
        relegates: 5,
      },
    }),
  },
  {
    key: "top_spenders",
    kind: "leaderboards",
    title: "Top spenders of the month",
    goodFor: "Your best customers: a short list with prizes, new every month.",
    summary: "Ranks the sum of orders in a month; 1,000, 500 and 250 points for the first three ranks.",
    needs: [order(AMOUNT)],
    define: ({ key: event, property }) => ({
      name: "Top spenders",
      description: "The customers who spent most this month.",
      scoreSource: "Event",
      event,
      measure: { kind: "Sum", property },
      rankOrder: "HighestFirst",
      period: { kind: "Calendar", every: "Month" },
      settleAfterMinutes: 60,
      topSize: 50,
      prizes: [
        { fromRank: 1, toRank: 1, rewards: points(1_000) },
        { fromRank: 2, toRank: 2, rewards: points(500) },
        { fromRank: 3, toRank: 3, rewards: points(250) },
      ],
    }),
  },
];

/** Definitions worth copying, in the order in which a list offers them. Each is played through the engine by a test. */
export const AUTHORING_EXAMPLES: readonly AuthoringExample[] = WRITTEN.map(({ define, ...example }) => ({
  ...example,
  define: (chosen: ExampleChoices) => ({ key: example.key, ...define(...example.needs.map(({ name }) => chosen[name]!)) }),
}));

/** The examples of a kind; none for the kinds that have none. */
export const examplesOf = (kind: string): AuthoringExample[] => AUTHORING_EXAMPLES.filter((one) => one.kind === kind);
