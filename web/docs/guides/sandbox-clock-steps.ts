import { type Command, commandLine, get, inDays, order, send, type Steps } from "./exchange.ts";

const advance = (duration: string): Command => ({
  command: commandLine(`clock advance --project demo --environment sandbox --by ${duration}`),
});

const streak = (answer: object) => get("/v1/streaks?PlayerId=fay", [{ streakKey: "daily_coffee", ...answer }]);

export function clockSteps(now: number) {
  const orderOn = (day: number) => send(order("fay", `order-fay-${day + 1}`, 4.5, inDays(now, day)));
  return {
    today: orderOn(0),
    afterOne: streak({ currentLength: 1, longestLength: 1, isQualifiedThisPeriod: true }),
    dayLater: advance("P1D"),
    tomorrow: orderOn(1),
    afterTwo: streak({ currentLength: 2, longestLength: 2, isQualifiedThisPeriod: true }),
    twoDaysLater: advance("P2D"),
    broken: streak({ currentLength: 0, longestLength: 2, endsAtUtc: null, isQualifiedThisPeriod: false }),
    monthLater: advance("P1M"),
    settled: get("/v1/leaderboards/barista_league?PlayerId=fay&Previous=true", { isSettled: true }),
    reset: { command: commandLine("environment reset --project demo --environment sandbox") },
  } satisfies Steps;
}
