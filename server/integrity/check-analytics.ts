import type { Transaction } from "../../db/client.ts";
import { addNumbers, compareNumbers, type Numeric } from "../kernel/decimal.ts";
import type { Environment } from "../kernel/environment.ts";
import { countedPlayersAfter, epochOf, keptSums, recount, type Sum, wrongDays } from "../analytics/store/counting.ts";

const PAGE = 500;

interface Difference {
  sum: Omit<Sum, "count" | "amount">;
  kept: { count: number; amount: Numeric };
  recounted: { count: number; amount: Numeric };
}

/**
 * Every sum of analytics equals what the tables tell of the players that are counted, and their days are those of the log. Sums that no
 * table tells again (offers, refusals, lengths of streaks) are not compared.
 */
export async function checkAnalytics(tx: Transaction, { id, timeZone }: Environment): Promise<string[]> {
  const epoch = await epochOf(tx, id);
  const found: string[] = [];
  const differences = new Map<string, Difference>();
  for (const sum of await keptSums(tx, id, epoch)) add(differences, sum, "kept");
  for (let page = await countedPlayersAfter(tx, id, epoch, null, PAGE); page.length > 0;) {
    const counted = page.filter(({ isCounted }) => isCounted);
    const nameOf = new Map(counted.map(({ playerId, externalId }) => [playerId, externalId]));
    for (const { playerId, day, isKept } of await wrongDays(tx, id, timeZone, counted)) {
      const [says, other] = isKept ? ["kept", "the log has no event"] : ["not kept", "the log has events"];
      found.push(`player "${nameOf.get(playerId)}": the day ${day} is ${says} as active, but ${other} on it`);
    }
    for (const sum of await recount(tx, id, timeZone, counted)) add(differences, sum, "recounted");
    page = await countedPlayersAfter(tx, id, epoch, page.at(-1)!.externalId, PAGE);
  }
  const wrong = [...differences.values()].filter(
    ({ kept, recounted }) => kept.count !== recounted.count || compareNumbers(kept.amount, recounted.amount) !== 0,
  );
  return [...found, ...wrong.map(inWords)];
}

function add(differences: Map<string, Difference>, { count, amount, ...sum }: Sum, side: "kept" | "recounted"): void {
  const name = `${sum.measure} ${sum.subject} ${sum.day} ${sum.detail}`;
  const difference = differences.get(name) ?? { sum, kept: { count: 0, amount: 0 }, recounted: { count: 0, amount: 0 } };
  differences.set(name, difference);
  const before = difference[side];
  difference[side] = { count: before.count + count, amount: addNumbers(before.amount, amount) };
}

function inWords({ sum: { measure, subject, detail, day }, kept, recounted }: Difference): string {
  const name = `${measure}${subject === 0 ? "" : ` of definition ${subject}`}${detail === "" ? "" : ` (${detail})`} on ${day}`;
  const figures = ({ count, amount }: Difference["kept"]) =>
    compareNumbers(amount, 0) === 0 ? `${count}` : `${count} with ${String(amount)}`;
  return `analytics, ${name}: ${figures(kept)} kept, but the tables give ${figures(recounted)}`;
}
