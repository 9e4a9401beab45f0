import { describe, expect, test } from "vitest";
import { atLeast, atMost, measured, orders } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";
import { observe, counterValues } from "../observed.ts";

const service = await startService();
const number = (value: number) => ({ type: "number", value });
const withObjectives = (...objectives: object[]) => observe(service, ...objectives);

describe("a fraction", () => {
  test("is actual / target, cut to 0..1 and rounded half-even to 8 decimals", async () => {
    const cases: [string, string, string][] = [
      ["1", "3", "0.33333333"],
      ["2", "3", "0.66666667"],
      ["1", "200000000", "0"],
      ["3", "200000000", "2e-8"],
      ["5", "200000000", "2e-8"],
      ["7", "200000000", "4e-8"],
      ["0.99999999", "1", "0.99999999"],
      ["99999999999999999999.99999998", "99999999999999999999.99999999", "1"],
      ["4", "3", "1"],
      ["-1", "3", "0"],
      ["1", "-4", "0"],
      ["12345678901234567890", "98765432109876543210", "0.125"],
    ];
    const ofCase = (index: number, kind: string) => ({
      ...measured(kind, "amount"),
      where: { property: "drink", operator: "EqualTo", value: `${index}` },
    });
    const objectives = cases.flatMap(([, target], index) => [
      orders("GreaterThan", exact(target), ofCase(index, "Latest")),
      orders("LessThan", exact(target), ofCase(index, "Max")),
    ]);
    const { after } = await withObjectives(...objectives);
    const shown = await after(...cases.map(([actual], index) => ({ amount: exact(actual), drink: `${index}` })));
    expect(shown.map(({ progress }) => progress.fraction)).toEqual(cases.flatMap(([, , fraction]) => [Number(fraction), Number(fraction)]));
  });

  test("of a target of 0 is 1", async () => {
    const { read } = await withObjectives(orders("GreaterThan", 0), orders("GreaterThan", 0, measured("Sum", "amount")), atMost(0));
    expect((await read()).map(({ progress }) => progress.fraction)).toEqual([1, 1, 1]);
  });
});

describe("numbers are exact", () => {
  const WIDE = "12345678901234567890.12345678";

  test("read back digit for digit, as JSON numbers", async () => {
    const kinds = [measured("Sum", "amount"), measured("Max", "amount"), measured("Min", "amount"), measured("Latest", "amount")];
    const { after, raw } = await withObjectives(
      ...kinds.map((measure) => orders("GreaterThan", exact("99999999999999999999.99999999"), measure)),
    );
    await after({ amount: exact(WIDE) });
    const text = await raw();
    expect(text.split(`"actual":{"type":"number","value":${WIDE}}`)).toHaveLength(5);
    expect(text.split(`"target":{"type":"number","value":99999999999999999999.99999999}`)).toHaveLength(5);
  });

  test("summed without losing a digit", async () => {
    const sums: [string[], string][] = [
      [["0.1", "0.2"], "0.3"],
      [["9007199254740993", "2"], "9007199254740995"],
      [["99999999999999999999.99999999", "0.00000001"], "100000000000000000000"],
      [["99999999999999999999.99999999", "99999999999999999999.99999999"], "199999999999999999999.99999998"],
      [["1e19", "-9999999999999999999.99999999"], "0.00000001"],
      [["0.00000001", "0.00000002"], "0.00000003"],
      [["-0", "0"], "0"],
      [["1.10", "2.20"], "3.3"],
      [["123456789012345678", "0.5"], "123456789012345678.5"],
    ];
    const ofCase = (index: number) => ({
      ...measured("Sum", "amount"),
      where: { property: "drink", operator: "EqualTo", value: `${index}` },
    });
    const { after, raw } = await withObjectives(...sums.map((_, index) => orders("EqualTo", 7, ofCase(index))));
    await after(...sums.flatMap(([amounts], index) => amounts.map((amount) => ({ amount: exact(amount), drink: `${index}` }))));
    const shown = [...(await raw()).matchAll(/"actual":\{"type":"number","value":([^}]*)\}/g)].map(([, sum]) => sum!);
    expect(shown.slice(0, -1).map((sum) => (sum.includes("e") ? Number(sum).toFixed(8) : sum))).toEqual(sums.map(([, sum]) => sum));
  });

  test("a thousand sums of 0.1 in one batch are 100", async () => {
    const { after } = await withObjectives(orders("EqualTo", 100, measured("Sum", "amount")));
    const [sum] = await after(...Array.from({ length: 1_000 }, () => ({ amount: 0.1 })));
    expect(sum).toMatchObject({ isSatisfied: true, progress: { actual: number(100) } });
  });

  test("compared exactly, in the last of 28 digits", async () => {
    const filter = (operator: string, value: unknown) => atLeast(99, { where: { property: "amount", operator, value } });
    const { after } = await withObjectives(
      filter("EqualTo", exact(WIDE)),
      filter("GreaterThan", exact(WIDE)),
      filter("GreaterThanOrEqualTo", exact(WIDE)),
      filter("LessThan", exact(WIDE)),
      filter("In", [exact("1"), exact(WIDE)]),
      filter("NotIn", [exact(WIDE)]),
    );
    const amounts = ["12345678901234567890.12345677", WIDE, "12345678901234567890.12345679"];
    expect(counterValues(await after(...amounts.map((amount) => ({ amount: exact(amount) }))))).toEqual([1, 1, 2, 1, 1, 2]);
  });

  test("1e2 equals 100, and trailing zeros do not matter", async () => {
    const { after } = await withObjectives(atLeast(99, { where: { property: "amount", operator: "EqualTo", value: 100 } }));
    expect(
      counterValues(await after(...["1e2", "100.0", "100.000000000000", "1E+2", "10000e-2"].map((amount) => ({ amount: exact(amount) })))),
    ).toEqual([5]);
  });
});
