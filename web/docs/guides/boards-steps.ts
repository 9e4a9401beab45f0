import { inDays, type Steps } from "./exchange.ts";

export function boardSteps(now: number) {
  const order = (playerId: string, amount: number) => ({
    playerId,
    event: "order_placed",
    occurredAt: inDays(now),
    idempotencyKey: `order-${playerId}-1`,
    properties: { amount },
  });
  return {
    player: {
      method: "POST",
      path: "/v1/players",
      body: { playerId: "dana", displayName: "Dana", timeZoneId: "Europe/Amsterdam" },
      status: 200,
      answer: { playerId: "dana", displayName: "Dana", timeZoneId: "Europe/Amsterdam", createdAtUtc: inDays(now) },
    },
    send: {
      method: "POST",
      path: "/v1/events",
      body: { events: [order("dana", 48.5), order("eli", 37.25)] },
      status: 200,
      answer: { accepted: 2, rejected: 0 },
    },
    boards: {
      method: "GET",
      path: "/v1/leaderboards?PlayerId=dana",
      status: 200,
      answer: [
        { leaderboardKey: "barista_league", scoreSource: "Points", me: null, league: { tierKey: "bean", tier: 0, tiers: 3, promotes: 3 } },
        { leaderboardKey: "top_guests", scoreSource: "Event", aggregation: "Sum", me: { rank: 1, score: 48.5 } },
      ],
    },
    standings: {
      method: "GET",
      path: "/v1/leaderboards/top_guests?PlayerId=dana&Top=3&Neighbours=1&PlayerIds=eli",
      status: 200,
      answer: {
        top: [
          { rank: 1, displayName: "Dana", score: 48.5, isMe: true },
          { rank: 2, displayName: null, score: 37.25, isMe: false },
        ],
        around: [
          { rank: 1, displayName: "Dana", score: 48.5, isMe: true },
          { rank: 2, displayName: null, score: 37.25, isMe: false },
        ],
        isSettled: false,
        named: {
          entries: [
            { playerId: "dana", rank: 1, displayName: "Dana", score: 48.5, isMe: true },
            { playerId: "eli", rank: 2, displayName: null, score: 37.25, isMe: false },
          ],
        },
      },
    },
    streaks: {
      method: "GET",
      path: "/v1/streaks?PlayerId=dana",
      status: 200,
      answer: [
        {
          streakKey: "daily_coffee",
          cadence: "Day",
          currentLength: 1,
          longestLength: 1,
          startedAtUtc: inDays(now),
          endsAtUtc: inDays(now),
          isQualifiedThisPeriod: true,
          freezesAvailable: 0,
          nextMilestone: 7,
        },
      ],
    },
  } satisfies Steps;
}
