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

/** The choice for each need, by its name. */
export type ExampleChoices = Readonly<Record<string, { key: string; property?: string }>>;

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

const order = (property?: ExampleNeed["property"]): ExampleNeed => ({
  name: "order",
  kind: "events",
  standsFor: "a purchase",
  definition: { key: "order_placed", name: "Order placed", properties: property === undefined ? [] : [{ ...property, required: false }] },
  ...(property && { property }),
});
const AMOUNT = { key: "amount", type: "Number" } as const;

const visit: ExampleNeed = {
  name: "visit",
  kind: "events",
  standsFor: "a visit or the start of your app",
  definition: { key: "app_opened", name: "App opened", properties: [] },
};

const invitation: ExampleNeed = {
  name: "invitation",
  kind: "events",
  standsFor: "a friend who joins through an invitation",
  definition: { key: "friend_joined", name: "Friend joined", properties: [] },
};

const steps: ExampleNeed = {
  name: "effort",
  kind: "metrics",
  standsFor: "an amount that adds up, such as steps, minutes or pages",
  definition: { key: "steps", name: "Steps", kind: "Number", properties: [] },
};

/** The need of an example by its name; examples only use their own needs. */
const chosenFor = (chosen: ExampleChoices, name: string): { key: string; property?: string } => {
  const one = chosen[name];
  if (one === undefined) throw new Error(`Nothing is chosen for ${name}.`);
  return one;
};

/** Definitions worth copying, in the order in which a list offers them. Each is played through the engine by a test. */
export const AUTHORING_EXAMPLES: readonly AuthoringExample[] = [
  {
    key: "first_order",
    kind: "missions",
    title: "First order",
    goodFor: "Activation: gets people who signed up over the first step.",
    summary: "50 points for the first order, once.",
    needs: [order()],
    define: (chosen) => ({
      key: "first_order",
      name: "Your first order",
      description: "Place your first order.",
      objectives: [{ event: chosenFor(chosen, "order").key, measure: { kind: "Count" }, operator: AT_LEAST, target: 1 }],
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
    define: (chosen) => ({
      key: "weekly_regular",
      name: "Three days this week",
      description: "Order on three different days this week.",
      recurrence: { kind: "Calendar", every: "Week" },
      objectives: [{ event: chosenFor(chosen, "order").key, measure: { kind: "DistinctDays" }, operator: AT_LEAST, target: 3 }],
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
    define: (chosen) => {
      const { key, property } = chosenFor(chosen, "order");
      return {
        key: "big_basket",
        name: "Two big baskets",
        description: "Place two orders of 25 or more this month.",
        recurrence: { kind: "Calendar", every: "Month" },
        objectives: [
          { event: key, where: { property, operator: AT_LEAST, value: 25 }, measure: { kind: "Count" }, operator: AT_LEAST, target: 2 },
        ],
        rewards: points(100),
      };
    },
  },
  {
    key: "try_something_new",
    kind: "missions",
    title: "Try something new",
    goodFor: "Discovery: leads people to products they have not bought before.",
    summary: "80 points for three different products.",
    needs: [order({ key: "product", type: "String" })],
    define: (chosen) => {
      const { key, property } = chosenFor(chosen, "order");
      return {
        key: "try_something_new",
        name: "Explorer",
        description: "Try three different products.",
        objectives: [{ event: key, measure: { kind: "DistinctCount", property }, operator: AT_LEAST, target: 3 }],
        rewards: points(80),
      };
    },
  },
  {
    key: "come_back",
    kind: "missions",
    title: "Come back",
    goodFor: "Win-back: speaks only to customers who have not ordered for 30 days.",
    summary: "120 points for one order; hidden from players who ordered lately or never did.",
    needs: [order()],
    define: (chosen) => {
      const { key } = chosenFor(chosen, "order");
      const ordered = { event: key, measure: { kind: "Count" }, operator: AT_LEAST, value: 1 };
      return {
        key: "come_back",
        name: "We missed you",
        description: "Place an order and get a welcome back.",
        audience: { rule: { all: [ordered, { not: { ...ordered, lastDays: 30 } }] }, otherwise: "Hidden" },
        objectives: [{ event: key, measure: { kind: "Count" }, operator: AT_LEAST, target: 1 }],
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
    define: (chosen) => ({
      key: "bring_a_friend",
      name: "Bring a friend",
      description: "Invite a friend. You are rewarded when they join.",
      recurrence: { kind: "AfterCompletion", maxOccurrences: 10 },
      objectives: [{ event: chosenFor(chosen, "invitation").key, measure: { kind: "Count" }, operator: AT_LEAST, target: 1 }],
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
    define: (chosen) => ({
      key: "daily_visit",
      name: "Daily visits",
      description: "Visit every day.",
      event: chosenFor(chosen, "visit").key,
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
    define: (chosen) => ({
      key: "weekly_goal",
      name: "Weekly goal",
      description: "Reach the goal every week.",
      metric: chosenFor(chosen, "effort").key,
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
      key: "weekly_league",
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
    define: (chosen) => {
      const { key, property } = chosenFor(chosen, "order");
      return {
        key: "top_spenders",
        name: "Top spenders",
        description: "The customers who spent most this month.",
        scoreSource: "Event",
        event: key,
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
      };
    },
  },
];

/** The examples of a kind; none for the kinds that have none. */
export const examplesOf = (kind: string): AuthoringExample[] => AUTHORING_EXAMPLES.filter((one) => one.kind === kind);

/** The choices if every need is created, under its own key. */
export const madeAlong = ({ needs }: AuthoringExample): ExampleChoices =>
  Object.fromEntries(needs.map((need) => [need.name, { key: need.definition.key, ...(need.property && { property: need.property.key }) }]));
