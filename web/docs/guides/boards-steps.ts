import { get, inDays, order, post, send, type Steps } from "./exchange.ts";

export function boardSteps(now: number) {
  const standings = [
    { rank: 1, displayName: "Dana", score: 48.5, isMe: true },
    { rank: 2, displayName: null, score: 37.25, isMe: false },
  ];
  return {
    player: post(
      "/v1/players",
      { playerId: "dana", displayName: "Dana", timeZoneId: "Europe/Amsterdam" },
      { playerId: "dana", displayName: "Dana", timeZoneId: "Europe/Amsterdam", createdAtUtc: inDays(now) },
    ),
    send: send(order("dana", "order-dana-1", 48.5, inDays(now)), order("eli", "order-eli-1", 37.25, inDays(now))),
    boards: get("/v1/leaderboards?PlayerId=dana", [
      { leaderboardKey: "barista_league", scoreSource: "Points", me: null, league: { tierKey: "bean", tier: 0, tiers: 3, promotes: 3 } },
      { leaderboardKey: "top_guests", scoreSource: "Event", aggregation: "Sum", me: { rank: 1, score: 48.5 } },
    ]),
    standings: get("/v1/leaderboards/top_guests?PlayerId=dana&Top=3&Neighbours=1&PlayerIds=eli", {
      top: standings,
      around: standings,
      isSettled: false,
      named: {
        entries: [
          { playerId: "dana", rank: 1, displayName: "Dana", score: 48.5, isMe: true },
          { playerId: "eli", rank: 2, displayName: null, score: 37.25, isMe: false },
        ],
      },
    }),
    streaks: get("/v1/streaks?PlayerId=dana", [
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
    ]),
  } satisfies Steps;
}
