import { randomUUIDv7 } from "node:crypto";
import { type Database, type Sql, transact, type Transaction } from "#db/client.ts";
import { holdPlayer, type LockedEnvironment, openLocked, readHeldPlayer, readJudgedPlayer } from "#server/engine/apply.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { writeCounts } from "#server/engine/store/counts.ts";
import type { Definitions, Images, Listing } from "#server/model/definitions/compiled.ts";
import { KEPT_EPOCH } from "#server/model/kernel/counts.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { ErrorCode } from "#server/model/kernel/errors.ts";
import type { Player } from "#server/model/kernel/player.ts";
import { Problem, problem } from "#server/model/kernel/problem.ts";
import { described } from "#server/model/kernel/texts.ts";
import { formatInstant, localDate, localHour } from "#server/model/kernel/time.ts";
import { isOffered, isVisible, nextRoundAt, type PurchaseEligibility, refusalOf, roundAt } from "#server/model/marketplace/eligibility.ts";
import { listingRow, type ListingRow } from "#server/model/marketplace/rows.ts";
import { saleOf } from "#server/model/marketplace/sale.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { isIn } from "#server/model/rules/audience.ts";
import { type ConditionInput, inputsIn, qualifies } from "#server/model/rules/condition.ts";
import { shortened } from "#server/model/rules/naming.ts";
import { KEY } from "#server/model/rules/shapes.ts";
import { retryConflicts } from "../../points/service.ts";
import { type SaleAnswer, type SaleAttempt, buy, buyer, isLastUnitLost, loadSold, loadUnitsSold } from "../store/sales.ts";

/** The player who reads the shop, and the language. */
export interface ShopQuery {
  externalId: string;
  language: string | null;
}

/**
 * The shop as a player sees it now, in creation order: listings on sale, except those only in collections or hidden from the player. An
 * unknown player sees a normal shop and is not created.
 */
export async function readShop(
  database: Database,
  environment: Environment,
  now: number,
  { take, ...query }: ShopQuery & { take: number | null },
): Promise<ListingRow[]> {
  const definitions = await definitionsOf(database.sql, environment);
  const listings = definitions.listings.filter(({ appearsIn }) => appearsIn === "Shop");
  return rowsOf(database, environment, definitions, now, query, listings, take);
}

/** One listing, wherever it appears. Problem: marketplace_item.not_found (unknown, off, not on sale now, hidden). */
export async function readListing(
  database: Database,
  environment: Environment,
  now: number,
  { listingKey, ...query }: ShopQuery & { listingKey: string },
): Promise<ListingRow> {
  const definitions = await definitionsOf(database.sql, environment);
  const listing = definitions.listingsByKey.get(listingKey);
  const [row] = listing === undefined ? [] : await rowsOf(database, environment, definitions, now, query, [listing]);
  if (row !== undefined) return row;
  throw problem("marketplace_item.not_found", `There is no marketplace item "${shortened(listingKey)}" for this player now.`, ITEM);
}

export interface MarketplaceCollectionRow {
  key: string;
  name: string;
  description: string | null;
  images: Images;
  items: ListingRow[];
}

/**
 * A collection with the listings that the player can see now, in its own order. Problem: marketplace_collection.not_found (unknown,
 * malformed, switched off).
 */
export async function readMarketplaceCollection(
  database: Database,
  environment: Environment,
  now: number,
  { collectionKey, ...query }: ShopQuery & { collectionKey: string },
): Promise<MarketplaceCollectionRow> {
  const definitions = await definitionsOf(database.sql, environment);
  const collection = definitions.marketplaceCollectionsByKey.get(collectionKey);
  if (!collection?.active) {
    const message = `There is no marketplace collection "${shortened(collectionKey)}".`;
    throw problem("marketplace_collection.not_found", message, { parameter: "collectionKey" });
  }
  const items = await rowsOf(database, environment, definitions, now, query, collection.items);
  return { key: collection.key, ...described(collection, query.language), items };
}

/** The rows of those listings that a read shows the player now, the first `take` of them. */
async function rowsOf(
  database: Database,
  environment: Environment,
  definitions: Definitions,
  now: number,
  { externalId, language }: ShopQuery,
  listings: readonly Listing[],
  take: number | null = null,
): Promise<ListingRow[]> {
  const offered = listings.filter((listing) => isOffered(listing, now));
  if (offered.length === 0) return [];
  const key = { ...playerKey(environment.id, externalId), externalId };
  const player = await readJudgedPlayer(database, environment, definitions, now, key, offered.flatMap(inputsOf));
  const shown = offered
    .map((listing) => ({ listing, isEligible: isEligible(player, listing), round: roundAt(listing, now, definitions.timeZone) }))
    .filter(({ listing, isEligible }) => isVisible(listing, isEligible))
    .slice(0, take ?? undefined);
  const counted = shown.filter(({ listing: { stock, limitPerPlayer } }) => stock !== null || limitPerPlayer !== null);
  const sold = await loadSold(database.sql, key, counted);
  return shown.map(({ listing, ...standing }) =>
    listingRow(listing, { sold: 0, bought: 0, ...sold.get(listing.id), ...standing, balance: player.balance }, language),
  );
}

const inputsOf = ({ audience }: Listing): ConditionInput[] => (audience.rule === null ? [] : inputsIn(audience.rule));

const isEligible = (player: Player, { audience }: Listing): boolean => isIn(player, audience);

/** The eligibility inputs of a player whose attributes, balance and inputs are loaded. It reads only. */
export async function eligibilityOf(
  sql: Sql,
  listing: Listing,
  player: Player,
  now: number,
  projectZone: string,
): Promise<PurchaseEligibility> {
  const round = roundAt(listing, now, projectZone);
  const sold = await loadSold(sql, player, [{ listing, round }]);
  return { sold: 0, bought: 0, ...sold.get(listing.id), round, isEligible: isEligible(player, listing), balance: player.balance };
}

export interface Order {
  externalId: string;
  listingKey: string;
  /** Null: repeating the order buys again. */
  idempotencyKey: string | null;
}

/** The result of a purchase. */
export type Purchased = Omit<SaleAnswer, "outcome">;

/**
 * Buys one unit; `now` is on the environment's clock. A replayed key returns the original purchase with the current balance. Stops at the
 * first check that fails, in the order of `refusalOf` and `statusOf`.
 * Problems: player.not_found, marketplace_purchase.idempotency_key_conflict, marketplace_item.not_found, .inactive,
 * .not_available, .not_eligible, .out_of_stock, .purchase_limit_reached, points.insufficient_balance, points.concurrent_update.
 */
export async function purchase(database: Database, environment: Environment, now: number, order: Order): Promise<Purchased> {
  try {
    const { outcome, ...purchased } = await retryConflicts(() => attempt(database, environment, now, order));
    if (outcome === "bought" || outcome === "replayed") return purchased;
    const isForRound = outcome === "marketplace_item.purchase_limit_reached";
    throw refused(outcome, order, isForRound ? await nextRoundOf(database, environment, now, order) : null);
  } catch (error) {
    const problem = isLastUnitLost(error) ? refused("marketplace_item.out_of_stock", order) : error;
    if (problem instanceof Problem) await noteRefusal(database, environment, now, order, problem);
    throw problem;
  }
}

async function nextRoundOf({ sql }: Database, environment: Environment, now: number, { listingKey }: Order): Promise<number | null> {
  const { listingsByKey, timeZone } = await definitionsOf(sql, environment);
  const listing = listingsByKey.get(listingKey);
  return listing === undefined ? null : nextRoundAt(listing, now, timeZone);
}

/** Counts a refusal for the shop's report. A failure does not affect the response. */
async function noteRefusal(
  database: Database,
  environment: Environment,
  now: number,
  { listingKey }: Order,
  { code }: Problem,
): Promise<void> {
  try {
    const definitions = await definitionsOf(database.sql, environment);
    await countRefusal(database, environment, now, definitions.listingsByKey.get(listingKey)?.id ?? null, code);
  } catch {
    // The database is unreachable: this refusal is not counted.
  }
}

/**
 * A listing without an audience rule is bought by one statement. An audience rule, or a concurrent change of definitions or clock, takes a
 * transaction.
 */
async function attempt(database: Database, environment: Environment, now: number, order: Order): Promise<SaleAnswer> {
  const definitions = await definitionsOf(database.sql, environment);
  const listing = definitions.listingsByKey.get(order.listingKey);
  if (listing === undefined || listing.audience.rule === null) {
    const answer = await buyer(database.sql)(attemptOf({ environment, definitions, now }, order, refusalOf(listing, now)));
    if (answer.outcome !== "stale") return answer;
  }
  return transact(database, (tx) => buyLocked(tx, environment.id, order), 1);
}

/** The player is locked before their balance, in the order of folds; the verdict on the audience holds until the commit. */
async function buyLocked(tx: Transaction, environmentId: number, order: Order): Promise<SaleAnswer> {
  const locked = await openLocked(tx, environmentId);
  const { environment, definitions, now } = locked;
  const listing = definitions.listingsByKey.get(order.listingKey);
  const refusal = refusalOf(listing, now);
  const rule = listing?.audience.rule ?? null;
  if (rule === null || refusal !== null) return buy(tx, attemptOf(locked, order, refusal));
  const key = playerKey(environmentId, order.externalId);
  const [, unjudged] = await Promise.all([holdPlayer(tx, key), buy(tx, attemptOf(locked, order, "unjudged"))]);
  if (unjudged.outcome !== "unjudged") return unjudged;
  const player = await readHeldPlayer(tx, environment, definitions, now, key, inputsIn(rule));
  return buy(tx, attemptOf(locked, order, qualifies(player, rule) ? null : "marketplace_item.not_eligible"));
}

function attemptOf({ environment, definitions, now }: LockedEnvironment, order: Order, refusal: SaleAttempt["refusal"]): SaleAttempt {
  const { externalId, listingKey, idempotencyKey } = order;
  const listing = definitions.listingsByKey.get(listingKey);
  const buyer = { ...playerKey(environment.id, externalId), externalId };
  return {
    part: buyer.part,
    playerId: buyer.playerId,
    environmentId: environment.id,
    definitionsVersion: environment.definitionsVersion,
    clockOffsetMs: environment.clockOffsetMs,
    idempotencyKey,
    // A text that cannot be a key is not sent to the database.
    listingKey: KEY.test(listingKey) ? listingKey : null,
    refusal,
    sale: listing === undefined ? null : saleOf(randomUUIDv7(), listing, roundAt(listing, now, definitions.timeZone), buyer, now),
  };
}

const ITEM = { parameter: "marketplaceItemKey" };

function refused(
  outcome: Exclude<SaleAnswer["outcome"], "bought" | "replayed">,
  { listingKey }: Order,
  nextRound: number | null = null,
): Problem {
  const named = `marketplace item "${shortened(listingKey)}"`;
  const item = `The ${named}`;
  const before = nextRound === null ? "" : ` before ${formatInstant(nextRound)}`;
  switch (outcome) {
    case "player.not_found":
      return problem(outcome, "This environment has never seen the player.", { pointer: "#/playerId" });
    case "marketplace_purchase.idempotency_key_conflict":
      return problem(outcome, "The player's idempotency key was used by a purchase of another item or by an adjustment.", {
        pointer: "#/idempotencyKey",
      });
    case "marketplace_item.not_found":
      return problem(outcome, `There is no ${named}.`, ITEM);
    case "marketplace_item.inactive":
      return problem(outcome, `${item} is switched off.`, ITEM);
    case "marketplace_item.not_available":
      return problem(outcome, `${item} is not on sale now.`, ITEM);
    case "marketplace_item.not_eligible":
      return problem(outcome, `${item} cannot be bought by this player.`, ITEM);
    case "marketplace_item.out_of_stock":
      return problem(outcome, `${item} is sold out.`, ITEM);
    case "marketplace_item.purchase_limit_reached":
      return problem(outcome, `${item} cannot be bought by this player again${before}.`, ITEM);
    case "points.insufficient_balance":
      return problem(outcome, `The player's balance is too low for the ${named}.`, ITEM);
    case "stale":
    case "unjudged":
      throw new Error(`A purchase ended ${outcome}.`);
  }
}

/** Counts a purchase that was refused, of a listing if there is one: one row, appended outside any transaction. */
const countRefusal = (
  { sql }: Database,
  { id, timeZone }: Pick<Environment, "id" | "timeZone">,
  now: number,
  listingId: number | null,
  code: ErrorCode,
): Promise<void> =>
  writeCounts(sql, id, [
    {
      epoch: KEPT_EPOCH,
      measure: "refused",
      subject: listingId ?? 0,
      detail: code,
      count: 1,
      amount: 0,
      day: localDate(now, timeZone),
      hour: Number(localHour(now, timeZone)),
    },
  ]);

/**
 * The units of some listings sold in the round that runs at `now` (on the environment's clock), by key. Reversed purchases do not count.
 */
export async function unitsSold(
  database: Database,
  environment: Environment,
  now: number,
  keys: readonly string[],
): Promise<{ key: string; units: number }[]> {
  const { listingsByKey, timeZone } = await definitionsOf(database.sql, environment);
  const listings = [...new Set(keys)].flatMap((key) => listingsByKey.get(key) ?? []);
  const rounds = listings.map((listing) => ({ listingId: listing.id, round: roundAt(listing, now, timeZone).start }));
  const sold = await loadUnitsSold(database.sql, rounds);
  return listings.map(({ id, key }) => ({ key, units: sold.get(id) ?? 0 }));
}
