import { type Exchange, inDays, type Steps } from "./exchange.ts";

const feed = (more: object = {}) => ({ method: "POST", path: "/v1/missions", body: { playerId: "ben", ...more }, status: 200 }) as const;

const counted = (value: number, target: number) => ({
  kind: "TowardTarget",
  actual: { type: "number", value },
  operator: "GreaterThanOrEqualTo",
  target: { type: "number", value: target },
  fraction: value / target,
});

const returns = (value: number) => ({
  kind: "WithinLimit",
  actual: { type: "number", value },
  operator: "LessThanOrEqualTo",
  target: { type: "number", value: 2 },
  fraction: value / 2,
});

export function missionSteps(now: number) {
  const order = (idempotencyKey: string, amount: number) => ({
    playerId: "ben",
    event: "order_placed",
    occurredAt: inDays(now),
    idempotencyKey,
    properties: { amount },
  });
  return {
    read: {
      ...feed(),
      answer: [
        { missionKey: "first_order", status: "InProgress", optInMode: "Automatic", isAccepted: true },
        { missionKey: "coffee_lover", status: "Available", optInMode: "Manual", isAccepted: false, acceptedAtUtc: null },
        { missionKey: "gold_tasting", status: "Locked", startedAtUtc: null },
      ],
    },
    accept: { method: "POST", path: "/v1/missions/coffee_lover/accept", body: { playerId: "ben" }, status: 204 },
    send: {
      method: "POST",
      path: "/v1/events",
      body: { events: [order("order-2001", 12.5), order("order-2002", 3)] },
      status: 200,
      answer: { accepted: 2, rejected: 0 },
    },
    progress: {
      ...feed({ includeCompleted: true }),
      answer: [
        {
          missionKey: "coffee_lover",
          status: "InProgress",
          objectives: [
            { description: "Five orders over 10", isSatisfied: false, progress: counted(1, 5) },
            { description: "At most two returns", isSatisfied: true, progress: returns(0) },
          ],
        },
        { missionKey: "first_order", status: "Completed", occurrenceNumber: 0, completedAtUtc: inDays(now) },
      ],
    },
    attribute: {
      method: "PUT",
      path: "/v1/attributes",
      body: { playerId: "ben", attributes: { tier: "gold" } },
      status: 200,
      answer: { results: { tier: "Changed" } },
    },
    unlocked: {
      ...feed({ languageCode: "nl-BE" }),
      answer: [{ missionKey: "gold_tasting", name: "Proeverij voor goud", status: "Available" }],
    },
    collection: {
      method: "POST",
      path: "/v1/mission-collections/getting_started",
      body: { playerId: "ben", includeCompleted: true },
      status: 200,
      answer: { key: "getting_started", missions: [{ missionKey: "first_order", status: "Completed" }] },
    },
    neverOffered: {
      method: "POST",
      path: "/v1/missions/vip_evening/accept",
      body: { playerId: "ben" },
      status: 404,
      answer: { status: 404, code: "mission.not_locked_in" },
    } satisfies Exchange,
  } satisfies Steps;
}

/** The meaning of a mission's status for the screen that shows it. */
export const MISSION_STATUSES = [
  ["`InProgress`", "The player is in it and their events count."],
  ["`Available`", "Offered: events count once it is accepted."],
  ["`Completed`", "Done and rewarded. Left out unless `includeCompleted` is true."],
  ["`Locked`", "Shown, but the player does not qualify. They are not in it."],
] as const;

export const PROGRESS_KINDS = [
  ["`TowardTarget`", "Counts up to a target.", "A bar filled to `fraction`."],
  [
    "`WithinLimit`",
    "A count, a sum or a highest value stays under a ceiling: satisfied from the start, lost as the value rises.",
    "The remaining room. A `fraction` of 1 means lost, not done.",
  ],
  [
    "`Binary`",
    "Yes or no, also for a lowest value, a latest value or an attribute below a threshold: satisfied by the first such value.",
    "A tick.",
  ],
  ["`NotDisplayable`", "No single reading; only `isSatisfied` is meaningful.", "A tick."],
] as const;
