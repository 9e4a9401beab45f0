/** The properties of the event that most figures send (`makeItem`). */
const PROPERTIES = [
  { key: "amount", type: "Number", required: true },
  { key: "drink", type: "String" },
  { key: "takeaway", type: "Boolean" },
  { key: "shop", type: "String" },
  { key: "channel", type: "String" },
  { key: "receipt", type: "String" },
];

export const eventDefinition = (key: string) => ({ key, name: key, properties: PROPERTIES });

const MEASURED = [
  { measure: { kind: "Count" } },
  { measure: { kind: "Count" }, where: { property: "amount", operator: "GreaterThan", value: 10 } },
  { measure: { kind: "Sum", property: "amount" } },
  { measure: { kind: "Max", property: "amount" } },
  { measure: { kind: "Count" }, where: { property: "drink", operator: "In", value: ["espresso", "flat white"] } },
];

/** Unreachable, so that the mission stays live and the last round costs as much as the first. */
const ENDLESS = 1_000_000_000;

/** Missions that name one event, counting, summing and filtering in turn. */
export const missionsOn = (event: string, count: number, { target = ENDLESS, prefix = event } = {}) =>
  Array.from({ length: count }, (_, index) => ({
    key: `${prefix}_mission_${index}`,
    name: `Mission ${index} of ${event}`,
    description: "Come back often, and there is something for you.",
    objectives: [{ description: "Orders", event, operator: "GreaterThanOrEqualTo", target, ...MEASURED[index % MEASURED.length] }],
    rewards: [{ kind: "Points", points: 10 }],
  }));

/** The 20 missions of the sustained load: all of them count the sent event, and two are completed during the run. */
export const twentyMissions = () => [
  ...missionsOn("order_placed", 18),
  ...missionsOn("order_placed", 1, { target: 8, prefix: "eighth" }),
  ...missionsOn("order_placed", 1, { target: 20, prefix: "twentieth" }),
];

/** Three leaderboards (a sum, a count, a maximum) and a streak over the sent event. The boards never end: sent events are in the past. */
export const boardsAndStreak = () => ({
  leaderboards: [
    { key: "spent", measure: { kind: "Sum", property: "amount" } },
    { key: "orders", measure: { kind: "Count" } },
    { key: "dearest", measure: { kind: "Max", property: "amount" } },
  ].map((board) => ({
    name: board.key,
    scoreSource: "Event",
    event: "order_placed",
    rankOrder: "HighestFirst",
    period: { kind: "AllTime" },
    ...board,
  })),
  streaks: [{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day" }],
});
