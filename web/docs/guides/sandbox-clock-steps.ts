import { type Command, commandLine, inDays, type Steps } from "./exchange.ts";

const advance = (duration: string): Command => ({
  command: commandLine(`clock advance --project demo --environment sandbox --by ${duration}`),
});

export function clockSteps(now: number) {
  const order = (day: number) =>
    ({
      method: "POST",
      path: "/v1/events",
      body: {
        events: [
          {
            playerId: "fay",
            event: "order_placed",
            occurredAt: inDays(now, day),
            idempotencyKey: `order-fay-${day + 1}`,
            properties: { amount: 4.5 },
          },
        ],
      },
      status: 200,
      answer: { accepted: 1, rejected: 0 },
    }) as const;
  const streak = (answer: object) =>
    ({ method: "GET", path: "/v1/streaks?PlayerId=fay", status: 200, answer: [{ streakKey: "daily_coffee", ...answer }] }) as const;
  return {
    today: order(0),
    afterOne: streak({ currentLength: 1, longestLength: 1, isQualifiedThisPeriod: true }),
    dayLater: advance("P1D"),
    tomorrow: order(1),
    afterTwo: streak({ currentLength: 2, longestLength: 2, isQualifiedThisPeriod: true }),
    twoDaysLater: advance("P2D"),
    broken: streak({ currentLength: 0, longestLength: 2, endsAtUtc: null, isQualifiedThisPeriod: false }),
    monthLater: advance("P1M"),
    settled: {
      method: "GET",
      path: "/v1/leaderboards/barista_league?PlayerId=fay&Previous=true",
      status: 200,
      answer: { isSettled: true },
    },
    reset: { command: commandLine("environment reset --project demo --environment sandbox") },
  } satisfies Steps;
}
