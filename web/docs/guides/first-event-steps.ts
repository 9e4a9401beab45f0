import { type Exchange, inDays, type Steps } from "./exchange.ts";

const ID = "0197f1c4-6f5b-7c3a-9d2e-5b1f0a7c4e21";

export function firstEventSteps(now: number) {
  const order = {
    playerId: "amy",
    event: "order_placed",
    occurredAt: inDays(now),
    idempotencyKey: "order-1101",
    properties: { amount: 4.5, drink: "flat white" },
  };
  const send = {
    method: "POST",
    path: "/v1/events",
    body: { events: [order] },
    status: 200,
    answer: { accepted: 1, rejected: 0, results: [{ index: 0, accepted: true, eventId: ID, errors: [] }] },
  } satisfies Exchange;
  return {
    enter: {
      method: "POST",
      path: "/v1/missions",
      body: { playerId: "amy", take: 1 },
      status: 200,
      answer: [
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
      ],
    },
    send,
    balance: { method: "GET", path: "/v1/points?PlayerId=amy", status: 200, answer: { balance: 50, totalGranted: 50, totalSpent: 0 } },
    transactions: {
      method: "GET",
      path: "/v1/points/transactions?PlayerId=amy&Take=10",
      status: 200,
      answer: [{ id: ID, type: "Grant", amount: 50, sourceType: "Mission", sourceId: ID, occurredAtUtc: inDays(now) }],
    },
    again: send,
    stillOnce: { method: "GET", path: "/v1/points?PlayerId=amy", status: 200, answer: { balance: 50, totalGranted: 50, totalSpent: 0 } },
    mistaken: {
      method: "POST",
      path: "/v1/events",
      body: { events: [{ ...order, event: "order_placd", idempotencyKey: "order-1102" }] },
      status: 200,
      answer: {
        accepted: 0,
        rejected: 1,
        results: [{ index: 0, accepted: false, eventId: null, errors: [{ code: "event.not_found" }] }],
      },
    },
  } satisfies Steps;
}
