import { inDays, order, post, send, type Steps } from "./exchange.ts";

const feed = (answer: object[], more: object = {}) => post("/v1/missions", { playerId: "ben", ...more }, answer);

const ONE_OF_FIVE = {
  kind: "TowardTarget",
  actual: { type: "number", value: 1 },
  operator: "GreaterThanOrEqualTo",
  target: { type: "number", value: 5 },
  fraction: 0.2,
};

const NO_RETURNS = {
  kind: "WithinLimit",
  actual: { type: "number", value: 0 },
  operator: "LessThanOrEqualTo",
  target: { type: "number", value: 2 },
  fraction: 0,
};

export function missionSteps(now: number) {
  return {
    read: feed([
      { missionKey: "first_order", status: "InProgress", optInMode: "Automatic", isAccepted: true },
      { missionKey: "coffee_lover", status: "Available", optInMode: "Manual", isAccepted: false, acceptedAtUtc: null },
      { missionKey: "gold_tasting", status: "Locked", startedAtUtc: null },
    ]),
    accept: post("/v1/missions/coffee_lover/accept", { playerId: "ben" }),
    send: send(order("ben", "order-2001", 12.5, inDays(now)), order("ben", "order-2002", 3, inDays(now))),
    progress: feed(
      [
        {
          missionKey: "coffee_lover",
          status: "InProgress",
          objectives: [
            { description: "Five orders over 10", isSatisfied: false, progress: ONE_OF_FIVE },
            { description: "At most two returns", isSatisfied: true, progress: NO_RETURNS },
          ],
        },
        { missionKey: "first_order", status: "Completed", occurrenceNumber: 0, completedAtUtc: inDays(now) },
      ],
      { includeCompleted: true },
    ),
    attribute: {
      method: "PUT",
      path: "/v1/attributes",
      body: { playerId: "ben", attributes: { tier: "gold" } },
      status: 200,
      answer: { results: { tier: "Changed" } },
    },
    unlocked: feed([{ missionKey: "gold_tasting", name: "Proeverij voor goud", status: "Available" }], { languageCode: "nl-BE" }),
    collection: post(
      "/v1/mission-collections/getting_started",
      { playerId: "ben", includeCompleted: true },
      { key: "getting_started", missions: [{ missionKey: "first_order", status: "Completed" }] },
    ),
    neverOffered: post("/v1/missions/vip_evening/accept", { playerId: "ben" }, { status: 404, code: "mission.not_locked_in" }, 404),
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
    "A count, a sum or a highest value stays under a ceiling: satisfied from the start, lost as the value rises. `isSatisfied` stays true.",
    "The remaining room. A `fraction` of 1 means that none is left, not that it is done.",
  ],
  [
    "`Binary`",
    "Yes or no, also for a lowest value, a latest value or an attribute below a threshold: satisfied by the first such value.",
    "A tick.",
  ],
  ["`NotDisplayable`", "No single reading; only `isSatisfied` is meaningful.", "A tick."],
] as const;
