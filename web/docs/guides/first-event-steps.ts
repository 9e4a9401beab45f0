import { get, inDays, order, post, type Steps } from "./exchange.ts";

const ID = "0197f1c4-6f5b-7c3a-9d2e-5b1f0a7c4e21";

export function firstEventSteps(now: number) {
  const first = { ...order("amy", "order-1101", 4.5, inDays(now)), properties: { amount: 4.5, drink: "flat white" } };
  const send = post(
    "/v1/events",
    { events: [first] },
    { accepted: 1, rejected: 0, results: [{ index: 0, accepted: true, eventId: ID, errors: [] }] },
  );
  const balance = get("/v1/points?PlayerId=amy", { balance: 50, totalGranted: 50, totalSpent: 0 });
  return {
    enter: post("/v1/missions", { playerId: "amy", take: 1 }, [
      {
        missionKey: "first_order",
        name: "First order",
        status: "InProgress",
        objectives: [
          {
            description: "One order",
            isSatisfied: false,
            progress: {
              kind: "TowardTarget",
              actual: { type: "number", value: 0 },
              operator: "GreaterThanOrEqualTo",
              target: { type: "number", value: 1 },
              fraction: 0,
            },
          },
        ],
        rewards: [{ kind: "Points", pointsAmount: 50, catalogItemKey: null, catalogItemValue: null }],
      },
    ]),
    send,
    balance,
    transactions: get("/v1/points/transactions?PlayerId=amy&Take=10", [
      { id: ID, type: "Grant", amount: 50, sourceType: "Mission", sourceId: ID, occurredAtUtc: inDays(now) },
    ]),
    again: send,
    stillOnce: balance,
    mistaken: post(
      "/v1/events",
      { events: [{ ...first, event: "order_placd", idempotencyKey: "order-1102" }] },
      { accepted: 0, rejected: 1, results: [{ index: 0, accepted: false, eventId: null, errors: [{ code: "event.not_found" }] }] },
    ),
  } satisfies Steps;
}
