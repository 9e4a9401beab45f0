import { z } from "zod";
import { count, decimal, endpoint, images, languageCode, MAX_INT32, playerId, requiredText, timestamp } from "../../model/contract/v1.ts";
import { SOURCE_NAMES } from "../../model/leaderboards/shape.ts";

const rank = count.meta({ description: "Competition rank: 1, 2, 2, 4.", examples: [2] });
const score = decimal.meta({ examples: [120.5] });

const entry = z
  .object({
    rank,
    displayName: z
      .string()
      .nullable()
      .meta({ description: "Of the player; on a team board the team's key.", examples: ["Ann"] }),
    score,
    isMe: z.boolean().meta({ description: "Whether it is the row of the caller's player, or of their team.", examples: [false] }),
  })
  .meta({ id: "LeaderboardEntry" });

const named = z
  .object({ playerId: z.string().meta({ description: "Your own id for the player.", examples: ["customer-1042"] }), ...entry.shape })
  .meta({ id: "NamedLeaderboardEntry" });

const league = z
  .object({
    tierKey: z.string().meta({ examples: ["silver"] }),
    tierName: z.string().meta({ examples: ["Silver"] }),
    tier: count.meta({ description: "Counts from 0, the lowest.", examples: [1] }),
    tiers: count.meta({ description: "How many tiers there are.", examples: [3] }),
    groupSize: count.meta({ description: "Players in a group that is full.", examples: [30] }),
    promotes: count.meta({ description: "How many of a group move up.", examples: [5] }),
    relegates: count.meta({ description: "How many of a group move down.", examples: [5] }),
    outcome: z.enum(["Promoted", "Relegated", "Stayed"]).nullable().meta({ description: "Null while the period runs." }),
  })
  .meta({ id: "LeaderboardLeague" });

const team = z
  .object({
    teamKey: z.string().meta({ examples: ["amsterdam"] }),
    rank: rank.nullable().meta({ description: "Competition rank of the team; null without a score." }),
    score: score.nullable().meta({ description: "The sum of its members' scores; null without one." }),
    contribution: score.nullable().meta({ description: "What the player has scored for the team; null for nothing yet." }),
    members: count.meta({ description: "Players who have scored for the team.", examples: [12] }),
  })
  .meta({ id: "LeaderboardTeam" });

const leaderboard = z
  .object({
    leaderboardKey: z.string().meta({ examples: ["top_spenders"] }),
    name: z.string().meta({ examples: ["Top spenders"] }),
    description: z
      .string()
      .nullable()
      .meta({ examples: ["Who spends most in a month."] }),
    images,
    scoreSource: z.enum(SOURCE_NAMES),
    aggregation: z.enum(["Sum", "Count", "Max", "Min", "Latest"]).nullable().meta({ description: "Null where an attribute is ranked." }),
    rankOrder: z.enum(["HighestFirst", "LowestFirst"]),
    ranksTeams: z.boolean().meta({
      description: "True: a row is a team, named by its key, and its score is the sum of its members' scores.",
      examples: [false],
    }),
    period: z.object({ startsAtUtc: timestamp.nullable(), endsAtUtc: timestamp.nullable() }).meta({
      description: "The period that is shown; null where it has no beginning and no end.",
    }),
    isLocked: z.boolean().meta({ description: "The player cannot take part; the lists are empty.", examples: [false] }),
    participants: count.meta({
      description: "Rows of the board shown: players, teams, or in a league the players of the group.",
      examples: [350],
    }),
    me: z
      .object({ rank, score })
      .meta({ id: "LeaderboardPlace" })
      .nullable()
      .meta({ description: "The player's own place; on a team board that of their team. Null without a score." }),
    league: league.nullable().meta({ description: "Null where there are no leagues." }),
    team: team.nullable().meta({ description: "The player's team; null without one, and where players are ranked." }),
  })
  .meta({ id: "Leaderboard" });

const upTo = (most: number) =>
  z.string().transform((text, context) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Infinity;
    if (value <= most) return value;
    context.addIssue({ code: "custom", message: `must be an integer from 0 to ${most}.` });
    return z.NEVER;
  });

const Top = upTo(MAX_INT32)
  .meta({
    type: "integer",
    format: "int32",
    minimum: 0,
    description: "Entries from the top, up to the leaderboard's own top size; 10 when it is left out.",
    examples: [10],
  })
  .optional();

const Neighbours = upTo(25)
  .meta({
    type: "integer",
    format: "int32",
    minimum: 0,
    maximum: 25,
    description: "Neighbours on each side of the player's own place; 2 when it is left out.",
    examples: [2],
  })
  .optional();

const Previous = z
  .string()
  .transform((text, context) => {
    const value = text.toLowerCase();
    if (value === "true" || value === "false") return value === "true";
    context.addIssue({ code: "custom", message: "must be true or false." });
    return z.NEVER;
  })
  .meta({
    type: "boolean",
    description: "The last settled period with its final ranks, instead of the one in progress.",
    examples: [false],
  })
  .optional();

const PlayerIds = z
  .array(
    requiredText(
      200,
      { tooLong: "player.external_id_too_long" },
      { description: "Your own id of a player, at most 200 characters.", examples: ["customer-1042"] },
    ),
  )
  .meta({ description: "Players to rank among themselves in `named`, the caller among them: at most 100 besides the caller." })
  .optional();

export const leaderboardsContract = {
  list: endpoint({
    method: "GET",
    path: "/v1/leaderboards",
    operationId: "listLeaderboards",
    tag: "Leaderboards",
    summary: "Read the leaderboards with a player's own places",
    description: "Every live leaderboard that the player may see. An unknown player gets the list that everyone starts with, unranked.",
    answers: "The leaderboards, in the order of their creation.",
  })
    .input(z.object({ PlayerId: playerId, LanguageCode: languageCode }))
    .output(z.array(leaderboard)),

  standings: endpoint({
    method: "GET",
    path: "/v1/leaderboards/{leaderboardKey}",
    operationId: "getLeaderboard",
    tag: "Leaderboards",
    summary: "Read the standings of a leaderboard",
    description: "The top of the board and the player's neighbours. Other players appear by rank, display name and score only.",
    answers: "The standings.",
    refuses: ["leaderboard.not_found", "leaderboard.no_settled_period"],
  })
    .input(
      z.object({
        leaderboardKey: z.string().meta({ description: "The key of the leaderboard.", examples: ["top_spenders"] }),
        PlayerId: playerId,
        Top,
        Neighbours,
        Previous,
        PlayerIds,
        LanguageCode: languageCode,
      }),
    )
    .output(
      z
        .object({
          leaderboard,
          top: z.array(entry).meta({ description: "The first of the board; in a league of the player's group." }),
          around: z.array(entry).meta({ description: "The player's own row between its neighbours; empty without a score." }),
          isSettled: z.boolean().meta({ description: "Whether these are the standings of a settled period.", examples: [false] }),
          named: z
            .object({ entries: z.array(named).meta({ description: "Those who have a score, ranked among themselves." }) })
            .meta({ id: "NamedStandings" })
            .nullable()
            .meta({ description: "Null unless players were named." }),
        })
        .meta({ id: "Standings" }),
    ),
};
