import { z } from "zod";
import { decimal, endpoint, images, languageCode, playerId, requiredText, timestamp } from "../api/contract.ts";

const rank = z.int().meta({ description: "Competition rank: 1, 2, 2, 4." });

const entry = z
  .object({
    rank,
    displayName: z.string().nullable().meta({ description: "Of the player; on a team board the team's key." }),
    score: decimal,
    isMe: z.boolean().meta({ description: "Whether it is the row of the caller's player, or of their team." }),
  })
  .meta({ id: "LeaderboardEntry" });

const summary = z
  .object({
    leaderboardKey: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    images,
    scoreSource: z.enum(["Event", "Metric", "Points", "Attribute"]),
    aggregation: z.enum(["Count", "Sum", "Max", "Min", "Latest"]).nullable().meta({ description: "Null where an attribute is ranked." }),
    rankOrder: z.enum(["HighestFirst", "LowestFirst"]),
    ranksTeams: z
      .boolean()
      .meta({ description: "True: a row is a team, named by its key, and its score is the sum of its members' scores." }),
    period: z.object({ startsAtUtc: timestamp.nullable(), endsAtUtc: timestamp.nullable() }),
    isLocked: z.boolean().meta({ description: "The player cannot take part; the lists are empty." }),
    participants: z.int().meta({ description: "Rows of the board shown: players, teams, or in a league the players of the group." }),
    me: z.object({ rank, score: decimal }).nullable().meta({ description: "The player's own place; on a team board that of their team." }),
    league: z
      .object({
        tierKey: z.string(),
        tierName: z.string(),
        tier: z.int().meta({ description: "Counts from 0, the lowest." }),
        tiers: z.int().meta({ description: "How many tiers there are." }),
        groupSize: z.int(),
        promotes: z.int(),
        relegates: z.int(),
        outcome: z.enum(["Promoted", "Relegated", "Stayed"]).nullable().meta({ description: "Null while the period runs." }),
      })
      .meta({ id: "LeaderboardLeague" })
      .nullable(),
    team: z
      .object({
        teamKey: z.string(),
        rank: rank.nullable().meta({ description: "Null until the team has a score." }),
        score: decimal.nullable(),
        contribution: decimal.nullable().meta({ description: "What the player has scored for the team; null for nothing yet." }),
        members: z.int().meta({ description: "Players who have scored for the team." }),
      })
      .meta({ id: "LeaderboardTeam" })
      .nullable(),
  })
  .meta({ id: "Leaderboard" });

const MAX_INT32 = 2_147_483_647;

const count = (most: number, limit: string) =>
  z
    .string()
    .transform((text, context) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Infinity;
      if (value <= most) return value;
      context.addIssue({ code: "custom", message: `must be an integer from 0${limit}.` });
      return z.NEVER;
    })
    .meta({ type: "integer", format: "int32", minimum: 0, ...(most < MAX_INT32 && { maximum: most }) })
    .optional();

const Previous = z
  .string()
  .transform((text, context) => {
    const value = text.toLowerCase();
    if (value === "true" || value === "false") return value === "true";
    context.addIssue({ code: "custom", message: "must be true or false." });
    return z.NEVER;
  })
  .meta({ type: "boolean", description: "The last settled period, with its final ranks, instead of the one in progress." })
  .optional();

export const leaderboardsContract = {
  /** api.md 4.17. */
  list: endpoint({
    method: "GET",
    path: "/v1/leaderboards",
    operationId: "listLeaderboards",
    tag: "Leaderboards",
    summary: "Read the leaderboards with a player's own places",
    answers: "The leaderboards in creation order.",
    description: "Every live leaderboard that the player may see. An unknown player gets the list that everyone starts with, unranked.",
  })
    .input(z.object({ PlayerId: playerId, LanguageCode: languageCode }))
    .output(z.array(summary)),

  /** api.md 4.18. */
  standings: endpoint({
    method: "GET",
    path: "/v1/leaderboards/{leaderboardKey}",
    operationId: "getLeaderboard",
    tag: "Leaderboards",
    summary: "Read the standings of a leaderboard",
    answers: "The standings.",
    description: "The top of the board and the player's neighbours. Other players appear by rank, display name and score only.",
    refuses: ["leaderboard.not_found", "leaderboard.no_settled_period"],
  })
    .input(
      z.object({
        leaderboardKey: z.string(),
        PlayerId: playerId,
        Top: count(MAX_INT32, "").meta({
          description: "Entries from the top, up to the leaderboard's own top size; 10 when it is left out.",
        }),
        Neighbours: count(25, " to 25").meta({ description: "Neighbours on each side of the player's own place; 2 when it is left out." }),
        Previous,
        PlayerIds: z
          .array(requiredText(200, {}, { description: "Your own id of a player, at most 200 characters.", examples: ["customer-1042"] }))
          .optional()
          .meta({ description: "Players to rank among themselves in `named`, the caller among them: at most 100 besides the caller." }),
        LanguageCode: languageCode,
      }),
    )
    .output(
      z
        .object({
          leaderboard: summary,
          top: z.array(entry),
          around: z.array(entry).meta({ description: "The player's own row between its neighbours; empty without a score." }),
          isSettled: z.boolean(),
          named: z
            .object({ entries: z.array(entry.extend({ playerId: z.string() }).meta({ id: "NamedLeaderboardEntry" })) })
            .nullable()
            .meta({ description: "Null unless players were named." }),
        })
        .meta({ id: "Standings" }),
    ),
};
