import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { hasBadText, writeJson } from "../../model/kernel/json.ts";
import { pickText } from "../../model/kernel/texts.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { marketplaceDashboard, type PurchaseListed, type PurchaseSeen } from "../../game/marketplace/contract.dashboard.ts";
import { type ListedPurchase, listPurchases } from "../../game/marketplace/service/all-purchases.ts";
import { type PurchaseCursor, readPurchases, type SeenPurchase } from "../../game/marketplace/service/history.ts";
import { unitsSold } from "../../game/marketplace/service/sold.ts";
import { reversePurchase } from "../../game/marketplace/service/reversal.ts";
import { playerKey } from "../../model/players/identity.ts";

const dashboard = implement(marketplaceDashboard).$context<DashboardContext>().use(guard);

export const marketplaceDashboardProcedures = {
  sold: dashboard.sold.handler(async ({ input: { keys }, context: { database, environment, now } }) => ({
    sold: await unitsSold(database, environment, now, keys),
  })),

  purchases: dashboard.purchases.handler(async ({ input: { externalId, cursor, limit }, context: { database, environment } }) => {
    const below = cursorOf(cursor);
    // The database cannot store such an id, so it matches no player.
    if (hasBadText(externalId)) return { purchases: [], next: null };
    const { purchases, next } = await readPurchases(database, environment, externalId, below, limit);
    return { purchases: purchases.map(seen), next: cursorAt(next) };
  }),

  allPurchases: dashboard.allPurchases.handler(async ({ input, context: { database, environment } }) => {
    const { listing: listingKey, player, status, handingOver, isRepeated, from, until, limit } = input;
    const below = cursorOf(input.cursor);
    if (hasBadText(player ?? "") || hasBadText(listingKey ?? "")) return { purchases: [], next: null };
    const { purchases, next } = await listPurchases(
      database,
      environment,
      {
        listingKey,
        player: player === null ? null : playerKey(environment.id, player),
        isReversed: status === null ? null : status === "Reversed",
        from: instantOf(from),
        until: instantOf(until),
      },
      { handingOver, isRepeated },
      below,
      limit,
    );
    return { purchases: purchases.map(listed), next: cursorAt(next) };
  }),

  reverse: dashboard.reverse.handler(({ input: { purchaseId, reason }, context: { database, environment, actor } }) =>
    reversePurchase(database, environment, purchaseId, reason, actor),
  ),
};

const CURSOR = /^(-?\d{1,15}) (\d{1,18})$/;

function cursorOf(cursor: string | null): PurchaseCursor | null {
  if (cursor === null) return null;
  const [, purchasedAt, seq] = CURSOR.exec(cursor) ?? [];
  if (purchasedAt === undefined || seq === undefined)
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return { purchasedAt: Number(purchasedAt), seq: Number(seq) };
}

const cursorAt = (next: PurchaseCursor | null): string | null => (next === null ? null : `${next.purchasedAt} ${next.seq}`);

function instantOf(text: string | null): number | null {
  const instant = text === null ? null : parseInstant(text);
  if (text !== null && instant === null)
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid time. Write it as 2026-01-31T09:00:00Z." });
  return instant;
}

const seen = ({ handedOver, reversedAt, reversalReason, ...purchase }: SeenPurchase): PurchaseSeen => ({
  id: purchase.id,
  listing: purchase.listingKey,
  name: pickText(purchase.name, null),
  price: purchase.price,
  purchasedAt: formatInstant(purchase.purchasedAt),
  round: purchase.occurrenceNumber,
  limitPerPlayer: purchase.limitPerPlayer,
  contents: handedOver.map(({ catalogItemKey, value, told }) => ({ catalogItem: catalogItemKey, value: writeJson(value), told })),
  reversed: reversedAt === null ? null : { at: formatInstant(reversedAt), reason: reversalReason ?? "" },
});

function listed({ externalId, displayName, handingOver, sinceLast, untilNext, ...purchase }: ListedPurchase): PurchaseListed {
  const gaps = [sinceLast, untilNext].filter((gap) => gap !== null);
  return {
    ...seen(purchase),
    player: externalId === null ? null : { externalId, displayName },
    handingOver,
    repeatedWithin: gaps.length === 0 ? null : Math.min(...gaps),
  };
}
