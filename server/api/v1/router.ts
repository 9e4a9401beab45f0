import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { mayHoldBadText } from "../../model/kernel/json.ts";
import { eventsContract } from "../../game/events/contract.ts";
import { acceptBatch } from "../../game/events/service.ts";
import { Problem, type ProblemEntry, problem } from "../../model/kernel/problem.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { metricsContract } from "../../game/metrics/contract.ts";
import { judgeMetricEvent, takeMetricEvent, type ValidMetricEvent } from "../../game/metrics/service.ts";
import { bodyProblems } from "../problems.ts";
import type { ByDefinitions } from "../routes.ts";
import { attributesContract, writeShape } from "../../game/attributes/contract.ts";
import { judgeAttributeReport, judgeAttributes, readAttributes, reportAttribute, writeAttributes } from "../../game/attributes/service.ts";
import { playersContract } from "../../game/players/contract.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { withImageUrls } from "../../model/kernel/texts.ts";
import { missionsContract } from "../../game/missions/contract.ts";
import { acceptMission, readMissionCollection, readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { pointsContract } from "../../game/points/contract.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { selectBalance, selectTransactions } from "../../game/points/store.ts";
import { marketplaceContract } from "../../game/marketplace/contract.ts";
import { contentRows, purchaseRow } from "../../model/marketplace/rows.ts";
import { purchase, readListing, readMarketplaceCollection, readShop } from "../../game/marketplace/service/shop.ts";
import { selectPurchases } from "../../game/marketplace/store/sales.ts";
import { leaderboardsContract } from "../../game/leaderboards/contract.ts";
import { readLeaderboards, readStandings } from "../../game/leaderboards/service/read.ts";
import { streaksContract } from "../../game/streaks/contract.ts";
import { readStreaks } from "../../game/streaks/service/read.ts";

/** The public API, in the order of the reference. */
export const contract = {
  events: eventsContract,
  metrics: metricsContract,
  attributes: attributesContract,
  players: playersContract,
  missions: missionsContract,
  points: pointsContract,
  marketplace: marketplaceContract,
  leaderboards: leaderboardsContract,
  streaks: streaksContract,
};

const api = implement(contract).$context<ApiContext>();

const DEFAULT_NEIGHBOURS = 2;
const MAX_NAMED_PLAYERS = 100;

/** Judges of an invalid input by the definitions, so that an answer lists those problems too. */
export const judges: Readonly<Record<string, ByDefinitions>> = {
  "metrics.send": (valid, { database, environment, now }) => judgeMetricEvent(database, environment, now, valid as ValidMetricEvent),
  "attributes.write": async (valid, { database, environment, now }) => [
    ...bodyProblems(writeShape, valid),
    ...(await judgeAttributes(database, environment, now, valid["attributes"])),
  ],
  "attributes.report": (valid, { database, environment, now }) => judgeAttributeReport(database, environment, now, valid),
};

/** The public router: one procedure for each endpoint of the contract. */
export const router = {
  events: {
    send: api.events.send.handler(async ({ input, context }) => {
      const { database, environment, now, remembered, rawBody, admitToTail } = context;
      const { events: items } = input;
      const batch = { items, mayHoldBadText: mayHoldBadText(rawBody), now, remembered, admitToTail };
      const { results, receivedAt } = await acceptBatch(database, environment, batch, null);
      context.noteItems({ kind: "Event", receivedAt, items, results });
      const accepted = results.filter((result) => result.accepted).length;
      if (accepted > 0) context.wake();
      return { accepted, rejected: results.length - accepted, results };
    }),
  },

  metrics: {
    send: api.metrics.send.handler(async ({ input, context }) => {
      const { database, environment, now, admitToTail, remembered } = context;
      const sent = {
        externalId: input.externalPlayerId,
        metricKey: input.metricKey,
        value: input.value,
        currencyCode: input.currencyCode ?? null,
        exchangeRate: input.exchangeRate ?? null,
        idempotencyKey: input.idempotencyKey,
        occurredAt: input.occurredAtUtc,
        properties: input.properties ?? {},
        timeZone: input.playerTimeZoneId ?? null,
        admitToTail,
        remembered,
      };
      const taken = takeMetricEvent(database, environment, now, sent, null);
      const note = (receivedAt: number, eventId: string | null, errors: readonly ProblemEntry[]) =>
        context.noteItems({ kind: "MetricEvent", receivedAt, items: [input], results: [{ eventId, errors }] });
      const { event: row, receivedAt } = await taken.catch((error: unknown) => {
        if (error instanceof Problem) note(now, null, error.entries);
        throw error;
      });
      note(receivedAt, row.id, []);
      context.wake();
      return {
        eventId: row.id,
        metricKey: input.metricKey,
        value: row.value,
        currencyCode: row.currencyCode,
        exchangeRate: row.exchangeRate,
        normalizedValue: row.normalizedValue,
        total: row.total,
        occurredAtUtc: formatInstant(row.occurredAt),
        receivedAtUtc: formatInstant(row.receivedAt),
      };
    }),
  },

  attributes: {
    write: api.attributes.write.handler(async ({ input, context: { database, environment } }) => ({
      results: await writeAttributes(database, environment, input, bodyProblems(writeShape, input)),
    })),

    report: api.attributes.report.handler(async ({ input, context: { database, environment, now } }) => ({
      result: await reportAttribute(database, environment, now, {
        externalId: input.externalPlayerId,
        attributeKey: input.attributeKey,
        value: input.value,
        occurredAt: input.occurredAtUtc,
        timeZone: input.playerTimeZoneId ?? null,
      }),
    })),

    read: api.attributes.read.handler(async ({ input, context: { database, environment } }) => ({
      attributes: await readAttributes(database, environment, input.PlayerId),
    })),
  },

  players: {
    save: api.players.save.handler(async ({ input, context: { database, environment, now } }) => {
      const { playerId, timeZoneId, ...sent } = input;
      const { timeZone, createdAt, ...saved } = await savePlayer(database, environment, now, playerId, { ...sent, timeZone: timeZoneId });
      return { playerId, ...saved, timeZoneId: timeZone, createdAtUtc: formatInstant(createdAt) };
    }),
  },

  missions: {
    read: api.missions.read.handler(async ({ input, context }) => {
      const missions = await readMissions(context.database, context.environment, context.now, {
        externalId: input.playerId,
        take: input.take ?? null,
        includeCompleted: input.includeCompleted ?? false,
        language: input.languageCode,
      });
      return missions.map((mission) => withImageUrls(mission, context.baseUrl));
    }),

    readCollection: api.missions.readCollection.handler(async ({ input, context }) => {
      const collection = await readMissionCollection(context.database, context.environment, context.now, {
        collectionKey: input.collectionKey,
        externalId: input.playerId,
        includeCompleted: input.includeCompleted ?? false,
        language: input.languageCode,
      });
      const missions = collection.missions.map((mission) => withImageUrls(mission, context.baseUrl));
      return withImageUrls({ ...collection, missions }, context.baseUrl);
    }),

    accept: api.missions.accept.handler(async ({ input, context }) => {
      await acceptMission(context.database, context.environment, input.playerId, input.missionKey);
    }),
  },

  points: {
    balance: api.points.balance.handler(({ input, context: { database, environment } }) =>
      selectBalance(database.sql, playerKey(environment.id, input.PlayerId)),
    ),

    adjust: api.points.adjust.handler(async ({ input, context: { database, environment, now } }) => {
      const { playerId: externalId, ...rest } = input;
      const { occurredAt, ...adjusted } = await adjustPoints(database, environment, now, { externalId, ...rest });
      return { ...adjusted, occurredAtUtc: formatInstant(occurredAt) };
    }),

    transactions: api.points.transactions.handler(async ({ input, context: { database, environment } }) => {
      const rows = await selectTransactions(database.sql, playerKey(environment.id, input.PlayerId), input.Take ?? null);
      return rows.map(({ occurredAt, ...row }) => ({ ...row, occurredAtUtc: formatInstant(occurredAt) }));
    }),
  },

  marketplace: {
    shop: api.marketplace.shop.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
      const query = { externalId: input.PlayerId, language: input.LanguageCode, take: input.Take ?? null };
      return (await readShop(database, environment, now, query)).map((listing) => withImageUrls(listing, baseUrl));
    }),

    item: api.marketplace.item.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
      const { marketplaceItemKey: listingKey, PlayerId: externalId, LanguageCode: language } = input;
      return withImageUrls(await readListing(database, environment, now, { listingKey, externalId, language }), baseUrl);
    }),

    collection: api.marketplace.collection.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
      const { collectionKey, PlayerId: externalId, LanguageCode: language } = input;
      const collection = await readMarketplaceCollection(database, environment, now, { collectionKey, externalId, language });
      return withImageUrls({ ...collection, items: collection.items.map((listing) => withImageUrls(listing, baseUrl)) }, baseUrl);
    }),

    purchase: api.marketplace.purchase.handler(async ({ input, context: { database, environment, now, wake } }) => {
      const { marketplaceItemKey, playerId: externalId, idempotencyKey } = input;
      const bought = await purchase(database, environment, now, { listingKey: marketplaceItemKey, externalId, idempotencyKey });
      if (bought.isTold) wake();
      return {
        purchaseId: bought.purchaseId,
        marketplaceItemKey,
        contents: contentRows(bought.contents),
        occurrenceNumber: bought.occurrenceNumber,
        pricePaidInPoints: bought.price,
        remainingBalance: bought.balance,
      };
    }),

    purchases: api.marketplace.purchases.handler(async ({ input, context: { database, environment } }) => {
      const purchases = await selectPurchases(database.sql, playerKey(environment.id, input.PlayerId), input.Take ?? null);
      return purchases.map((one) => purchaseRow(one, input.LanguageCode));
    }),
  },

  leaderboards: {
    list: api.leaderboards.list.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
      const boards = await readLeaderboards(database, environment, now, { externalId: input.PlayerId, language: input.LanguageCode });
      return boards.map((board) => withImageUrls(board, baseUrl));
    }),

    standings: api.leaderboards.standings.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
      const { leaderboardKey, PlayerId: externalId, Top, Neighbours, Previous, PlayerIds, LanguageCode: language } = input;
      const others = new Set(PlayerIds).difference(new Set([externalId]));
      if (others.size > MAX_NAMED_PLAYERS) {
        throw problem("request.invalid", `PlayerIds must name at most ${MAX_NAMED_PLAYERS} players besides the caller.`, {
          parameter: "PlayerIds",
        });
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
  },

  streaks: {
    read: api.streaks.read.handler(async ({ input, context: { database, environment, now, baseUrl } }) => {
      const streaks = await readStreaks(database, environment, now, { externalId: input.PlayerId, language: input.LanguageCode });
      return streaks.map((streak) => withImageUrls(streak, baseUrl));
    }),
  },
} satisfies { [Domain in keyof typeof contract]: Record<keyof (typeof contract)[Domain], unknown> };
