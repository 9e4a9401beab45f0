import { expect, describe, test } from "vitest";
import { atLeast } from "../definitions.ts";
import { startService } from "../listening.ts";
import { observe, counterValues } from "../observed.ts";

const service = await startService();

describe("a filter", () => {
  const where = (property: string, operator: string, value: unknown) => ({ property, operator, value });
  /** The number of events that each filter lets through. */
  async function expectCounts(filters: [object, number][], events: object[]): Promise<void> {
    const { after } = await observe(service, ...filters.map(([filter]) => atLeast(99, { where: filter })));
    const counts = counterValues(await after(...events));
    expect(filters.map(([filter], index) => [filter, counts[index]])).toEqual(filters);
  }

  test("over text, an event without the property among them", async () => {
    const isTea = where("drink", "EqualTo", "tea");
    const isLatte = where("drink", "EqualTo", "latte");
    const filters: [object, number][] = [
      [where("drink", "EqualTo", "mocha"), 1],
      [where("drink", "NotEqualTo", "mocha"), 4],
      [where("drink", "In", ["mocha", "tea"]), 2],
      [where("drink", "NotIn", ["mocha", "tea"]), 3],
      [{ all: [where("drink", "NotEqualTo", "tea"), where("drink", "NotEqualTo", "latte")] }, 3],
      [{ any: [isTea, isLatte] }, 2],
      [{ not: isTea }, 4],
      [{ not: { any: [where("drink", "In", ["tea"]), { not: isLatte }] } }, 1],
    ];
    await expectCounts(filters, [{ drink: "latte" }, { drink: "mocha" }, { drink: "Mocha" }, { drink: "tea" }, {}]);
  });

  test("over a number, an event without it among them", async () => {
    const filters: [object, number][] = [
      [where("amount", "EqualTo", 10), 1],
      [where("amount", "NotEqualTo", 10), 3],
      [where("amount", "GreaterThan", 10), 1],
      [where("amount", "GreaterThanOrEqualTo", 10), 2],
      [where("amount", "LessThan", 10), 1],
      [where("amount", "LessThanOrEqualTo", 10), 2],
      [where("amount", "In", [9.5, 11]), 2],
      [where("amount", "NotIn", [9.5, 11]), 2],
    ];
    await expectCounts(filters, [{ amount: 9.5 }, { amount: 10 }, { amount: 11 }, {}]);
  });

  test("over a truth", async () => {
    const filters: [object, number][] = [
      [where("takeaway", "EqualTo", true), 1],
      [where("takeaway", "NotEqualTo", true), 2],
      [where("takeaway", "EqualTo", false), 1],
    ];
    await expectCounts(filters, [{ takeaway: true }, { takeaway: false }, {}]);
  });

  test("over an instant, whatever zone it is written in", async () => {
    const filters: [object, number][] = [
      [where("pickup_at", "EqualTo", "2026-06-01T12:00:00+02:00"), 1],
      [where("pickup_at", "GreaterThan", "2026-06-01T10:00:00Z"), 1],
      [where("pickup_at", "GreaterThanOrEqualTo", "2026-06-01T10:00:00Z"), 2],
      [where("pickup_at", "LessThan", "2026-06-01T10:00:00Z"), 1],
      [where("pickup_at", "In", ["2026-06-01T05:00:00-05:00"]), 1],
    ];
    const instants = ["2026-06-01T11:59:59.999+02:00", "2026-06-01T10:00:00.000Z", "2026-06-01T10:00:00.001Z"];
    await expectCounts(
      filters,
      instants.map((pickup_at) => ({ pickup_at })),
    );
  });
});
