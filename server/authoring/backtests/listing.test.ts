import fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { reversePurchase } from "../../game/marketplace/service/reversal.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { importDefinitions } from "../definitions/service/import.ts";
import { runBacktest } from "./service/run.ts";

/** Backtests of listings are compared with purchases that were made through the service and are counted here by separate code. */

const database = await testDatabase();
const HOUR = 3_600_000;
const DAYS = 7;
const PLAYERS = ["ann", "bob", "cid"];

const contents = [{ catalogItem: "coffee", value: 2 }];
const VOUCHER = {
  ...{ key: "voucher", name: "Voucher", priceInPoints: 30, contents, recurrence: { kind: "Calendar", every: "Day" }, limitPerPlayer: 3 },
};
const FILE = {
  version: 1,
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  attributes: [{ key: "level", name: "Level", type: "Number" }],
  marketplaceItems: [VOUCHER, { ...VOUCHER, key: "other", priceInPoints: 20, limitPerPlayer: null }],
};

/** Hours before now: some of these fall before the window of seven days. */
const happening = fc.record({
  player: fc.constantFrom(...PLAYERS),
  what: fc.constantFrom("gift", "gift", "voucher", "voucher", "voucher", "other", "taken back"),
  hoursAgo: fc.integer({ min: 1, max: 10 * 24 }),
  amount: fc.integer({ min: 5, max: 60 }),
});
const draft = fc.record({
  priceInPoints: fc.constantFrom(0, 10, 29, 31, 45, 80),
  limitPerPlayer: fc.constantFrom(null, 1, 2),
  audience: fc.constantFrom({ rule: null }, { rule: { attribute: "level", operator: "GreaterThan", value: 1 } }),
});

interface Done {
  player: string;
  at: number;
  amount: number;
  what: string;
  isReversed: boolean;
  refundOf?: Done;
}

test(
  "for all players, a listing's figures equal a recount of the real purchases; of an unchanged listing they are these purchases",
  { timeout: 120_000 },
  async () => {
    let bought = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 25, maxLength: 35 }), draft, async (happenings, changes) => {
        const project = await testProject(database);
        await importDefinitions(database, project.sandbox, FILE);
        const environment = await findEnvironment(database, project.slug, "sandbox");
        const end = Date.now();
        const done: Done[] = [];
        for (const [level, player] of PLAYERS.entries()) {
          await savePlayer(database, environment, end, player, {});
          await database.sql`
            insert into attribute_values (part, player_id, attribute_id, value, occurred_at)
            select p.part, p.player_id, d.id, ${JSON.stringify(level)}::text::json, now()
            from players p join definitions d on d.environment_id = p.environment_id and d.kind = 'attributes'
            where p.environment_id = ${environment.id} and p.external_id = ${player}`;
        }
        const bySale = new Map<string, Done>();
        for (const { player, what, hoursAgo, amount } of happenings.toSorted((a, b) => b.hoursAgo - a.hoursAgo)) {
          const at = end - hoursAgo * HOUR;
          if (what === "gift") {
            await adjustPoints(database, environment, at, { externalId: player, amount, reason: "gift", idempotencyKey: null });
            done.push({ player, at, amount, what, isReversed: false });
          } else if (what !== "taken back") {
            const order = { externalId: player, listingKey: what, idempotencyKey: null };
            const sold = await purchase(database, environment, at, order).catch(() => null);
            if (sold === null) continue;
            const sale = { player, at, amount: what === "voucher" ? -30 : -20, what, isReversed: false };
            done.push(sale);
            bySale.set(sold.purchaseId, sale);
          }
        }
        // A reversal happens now, so it comes after all the others.
        for (const { player } of happenings.filter(({ what }) => what === "taken back")) {
          const [id, sale] = [...bySale].find(([, one]) => one.player === player && !one.isReversed) ?? [];
          if (id === undefined || sale === undefined) continue;
          await reversePurchase(database, environment, id, "a mistake");
          sale.isReversed = true;
          done.push({ player, at: end, amount: -sale.amount, what: "refund", isReversed: false, refundOf: sale });
        }
        const run = (document: object) =>
          runBacktest(database, environment, {
            ...{ kind: "marketplaceItems", document: JSON.stringify(document), along: [] },
            ...{ days: DAYS, entry: "WindowStart", sample: 10_000 },
          });
        const changed = await run({ ...VOUCHER, ...changes });
        const since = Date.parse(changed.from);
        const real = done.filter(({ what, at, isReversed }) => what === "voucher" && at >= since && !isReversed);
        expect([changed.isExact, changed.today?.completions.value ?? real.length]).toEqual([true, real.length]);
        expect(changed.today?.stops.every(({ players }) => players.value === 0)).toBe(true);

        const expected = { able: 0, purchases: 0, points: 0, refused: 0, buyers: 0 };
        // Reversed purchases of these days are left out, with their refunds; the other listing's purchases are kept as they were.
        const leftOut = new Set(done.filter(({ what, at, isReversed }) => what === "voucher" && isReversed && at >= since));
        for (const [level, player] of PLAYERS.entries()) {
          const isIn = changes.audience.rule === null || level > 1;
          const own = done.filter((one) => one.player === player && !leftOut.has(one) && !(one.refundOf && leftOut.has(one.refundOf)));
          let [saved, purchases] = [0, 0];
          const balanceAt = (index: number) => saved + own.slice(0, index).reduce((sum, { amount }) => sum + amount, 0);
          const perDay: Record<string, number> = {};
          let best = balanceAt(own.filter(({ at }) => at < since).length);
          for (const [index, { at, what, isReversed }] of own.entries()) {
            const day = new Date(at).toISOString().slice(0, 10);
            const isCounted = what === "voucher" && !isReversed;
            if (at >= since && isCounted) {
              const isAllowed =
                isIn && (perDay[day] ?? 0) < (changes.limitPerPlayer ?? Infinity) && balanceAt(index) >= changes.priceInPoints;
              if (isAllowed) purchases++;
              else expected.refused++;
              if (isAllowed) perDay[day] = (perDay[day] ?? 0) + 1;
              saved += 30 - (isAllowed ? changes.priceInPoints : 0);
            } else if (isCounted) perDay[day] = (perDay[day] ?? 0) + 1;
            if (at >= since) best = Math.max(best, balanceAt(index + 1));
          }
          expected.able += Number(isIn && best >= changes.priceInPoints);
          expected.buyers += Number(purchases > 0);
          expected.purchases += purchases;
        }
        expected.points = expected.purchases * changes.priceInPoints;
        const { draft: found } = changed;
        expect({
          able: found.entered.value,
          purchases: found.completions.value,
          points: found.spans.reduce((sum, { points }) => sum + points.value, 0),
          refused: found.stops.reduce((sum, { players }) => sum + players.value, 0),
          buyers: found.completed.value,
        }).toEqual(expected);
        const unchanged = await run(VOUCHER);
        expect([unchanged.today, unchanged.draft.completions.value]).toEqual([null, real.length]);
        bought += real.length;
      }),
      { numRuns: 8 },
    );
    expect(bought, "purchases in all drawn histories").toBeGreaterThan(0);
  },
);
