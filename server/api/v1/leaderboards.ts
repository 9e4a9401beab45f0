import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { withImageUrls } from "../../model/kernel/texts.ts";
import { problem } from "../../model/kernel/problem.ts";
import { leaderboardsContract } from "../../game/leaderboards/contract.ts";
import { readLeaderboards, readStandings } from "../../game/leaderboards/service/read.ts";

const api = implement(leaderboardsContract).$context<ApiContext>();

const DEFAULT_NEIGHBOURS = 2;
const MAX_NAMED = 100;

export const leaderboardsProcedures = {
  list: api.list.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
    const boards = await readLeaderboards(database, environment, now, { externalId: input.PlayerId, language: input.LanguageCode });
    return boards.map((board) => withImageUrls(board, baseUrl));
  }),

  standings: api.standings.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
    const { leaderboardKey, PlayerId: externalId, Top, Neighbours, Previous, PlayerIds, LanguageCode: language } = input;
    const others = new Set(PlayerIds).difference(new Set([externalId]));
    if (others.size > MAX_NAMED) {
      throw problem("request.invalid", `PlayerIds must name at most ${MAX_NAMED} players besides the caller.`, { parameter: "PlayerIds" });
    }
    const standings = await readStandings(database, environment, now, {
      leaderboardKey,
      externalId,
      language,
      top: Top ?? null,
      neighbours: Neighbours ?? DEFAULT_NEIGHBOURS,
      previous: Previous ?? false,
      named: PlayerIds === undefined ? null : [...others],
    });
    return { ...standings, leaderboard: withImageUrls(standings.leaderboard, baseUrl) };
  }),
};
