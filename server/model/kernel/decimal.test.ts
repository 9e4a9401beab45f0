import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decimal, type Numeric, addNumbers, compareNumbers, numberFits, simplify } from "./decimal.ts";

const decimal = (text: string): Decimal => Decimal.parse(text)!;

/** Numbers as whole multiples of 10^-SCALE, to check the results. */
const SCALE = 40;
const exponentOf = (scale: number): bigint => 10n ** BigInt(SCALE - scale);
const multiples = (d: Decimal): bigint => d.units * exponentOf(d.scale);

const decimals = fc
  .record({ units: fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }), scale: fc.integer({ min: 0, max: 12 }) })
  .map(({ units, scale }) => Decimal.parse(`${units}e-${scale}`)!);
const amounts = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((cents) => cents / 100);
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e25, max: 1e25 }).filter((n) => n === 0 || Math.abs(n) > 1e-12);
const numerics: fc.Arbitrary<Numeric> = fc.oneof(amounts, fc.maxSafeInteger(), doubles, decimals.map(simplify));

describe("arithmetic is exact", () => {
  test("sums, differences and products agree with whole numbers", () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(multiples(a.plus(b))).toBe(multiples(a) + multiples(b));
        expect(multiples(a.minus(b))).toBe(multiples(a) - multiples(b));
        expect(multiples(a.times(b)) * 10n ** BigInt(SCALE)).toBe(multiples(a) * multiples(b));
      }),
    );
  });

  test("equal numbers have equal fields however they were written", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 9 }), (a, zeros) => {
        const padded = a.scale === 0 ? `${a}.0${"0".repeat(zeros)}` : `${a}${"0".repeat(zeros)}`;
        expect(decimal(padded)).toEqual(a);
      }),
    );
  });

  test("comparison follows the numeric order", () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const expected = multiples(a) < multiples(b) ? -1 : multiples(a) > multiples(b) ? 1 : 0;
        expect(a.compare(b)).toBe(expected);
        expect(a.equals(b)).toBe(expected === 0);
        expect(a.equals(a.plus(b).minus(b))).toBe(true);
      }),
    );
  });
});

describe("rounding is half to even", () => {
  test.each([
    ["0.5", 0, "0"],
    ["1.5", 0, "2"],
    ["2.5", 0, "2"],
    ["2.5000000001", 0, "3"],
    ["2.4999999999", 0, "2"],
    ["-0.5", 0, "0"],
    ["-1.5", 0, "-2"],
    ["-2.5", 0, "-2"],
    ["0.000000015", 8, "0.00000002"],
    ["0.000000025", 8, "0.00000002"],
    ["9.999999995", 8, "10"],
    ["12345678901234567890.123456785", 8, "12345678901234567890.12345678"],
    ["7", 3, "7"],
  ])("%s to %i places is %s", (text, places, expected) => {
    expect(String(decimal(text).round(places))).toBe(expected);
  });

  test.each([
    ["1", "3", 8, "0.33333333"],
    ["2", "3", 8, "0.66666667"],
    ["-2", "3", 8, "-0.66666667"],
    ["2", "-3", 8, "-0.66666667"],
    ["-2", "-3", 8, "0.66666667"],
    ["1", "8", 2, "0.12"],
    ["3", "8", 2, "0.38"],
    ["1", "0.00000001", 0, "100000000"],
    ["0", "7", 8, "0"],
    ["0.00000001", "12345678901234567890", 8, "0"],
  ])("%s / %s to %i places is %s", (a, b, places, expected) => {
    expect(String(decimal(a).dividedBy(decimal(b), places))).toBe(expected);
  });

  test("a rounded number is at most half a unit off, and ties go to the even digit", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 12 }), (a, places) => {
        const rounded = a.round(places);
        const unit = exponentOf(places);
        const off = 2n * (multiples(a) - multiples(rounded));
        expect(rounded.scale).toBeLessThanOrEqual(places);
        expect(off <= unit && off >= -unit).toBe(true);
        if (off === unit || off === -unit) expect((multiples(rounded) / unit) % 2n).toBe(0n);
      }),
    );
  });

  test("a quotient is at most half a unit off, and ties go to the even digit", () => {
    fc.assert(
      fc.property(
        decimals,
        decimals.filter((d) => d.units !== 0n),
        fc.integer({ min: 0, max: 12 }),
        (a, b, places) => {
          const unitsOfQuotient = decimal(`${a.dividedBy(b, places)}e${places}`).units;
          const off = 2n * (multiples(a) * 10n ** BigInt(places) - unitsOfQuotient * multiples(b));
          const whole = multiples(b) < 0n ? -multiples(b) : multiples(b);
          expect(off <= whole && off >= -whole).toBe(true);
          if (off === whole || off === -whole) expect(unitsOfQuotient % 2n).toBe(0n);
        },
      ),
    );
  });

  test("division by zero throws", () => {
    expect(() => decimal("1").dividedBy(0, 8)).toThrow(RangeError);
  });
});

describe("a text is read as JSON reads numbers", () => {
  test.each([
    ["0", "0"],
    ["-0", "0"],
    ["-0.00", "0"],
    ["1.50", "1.5"],
    ["1e2", "100"],
    ["1E+2", "100"],
    ["1.25e1", "12.5"],
    ["-1200e-2", "-12"],
    ["1e-8", "0.00000001"],
    ["0.00000012", "0.00000012"],
    ["12345678901234567890.12345678", "12345678901234567890.12345678"],
    ["0e999999999999999999999", "0"],
    ["0.000e-5000", "0"],
    [`1${"0".repeat(5000)}e-5000`, "1"],
    [`0.${"0".repeat(5000)}1e5001`, "1"],
    ["1e59", `1${"0".repeat(59)}`],
    ["1e-60", `0.${"0".repeat(59)}1`],
    ["1000e-2", "10"],
    [`0.1${"0".repeat(1_000_000)}`, "0.1"],
  ])("%s", (text, expected) => {
    expect(String(Decimal.parse(text))).toBe(expected);
  });

  test.each([
    "",
    "-",
    "+1",
    "01",
    "-01",
    "1.",
    ".5",
    "1.e5",
    "1e",
    "1e+",
    "1e1.5",
    "1_000",
    "0x10",
    "NaN",
    "Infinity",
    " 1",
    "1 ",
    "1n",
    "１",
  ])("%j is no number", (text) => {
    expect(Decimal.parse(text)).toBeNull();
  });

  test("a text with too many digits is not a number", () => {
    const wide = ["1e60", "1e-61", "1e999999999999999999999", "-1e-999999999999999999999", "9".repeat(61), `0.${"1".repeat(61)}`];
    for (const text of wide) expect(Decimal.parse(text)).toBeNull();
  });

  test("printed numbers parse back to the same value", () => {
    fc.assert(
      fc.property(decimals, (a) => {
        expect(decimal(String(a))).toEqual(a);
      }),
    );
  });

  test("a double is the number it prints as", () => {
    fc.assert(
      fc.property(doubles, (n) => {
        expect(Decimal.of(n).toNumber()).toBe(n + 0);
      }),
    );
    expect(String(Decimal.of(0.1))).toBe("0.1");
    expect(String(Decimal.of(1e21))).toBe("1000000000000000000000");
    expect(() => Decimal.of(5e-324)).toThrow(RangeError);
    expect(String(Decimal.of(2n ** 70n))).toBe("1180591620717411303424");
    for (const n of [NaN, Infinity, -Infinity]) expect(() => Decimal.of(n)).toThrow(RangeError);
  });
});

describe("stored numbers have at most 20 digits before the point and 8 after it", () => {
  test.each([
    ["99999999999999999999.99999999", true],
    ["-99999999999999999999.99999999", true],
    ["100000000000000000000", false],
    ["1e20", false],
    ["1e19", true],
    ["0.00000001", true],
    ["0.000000001", false],
    ["1.000000000000000000", true],
    ["12.30000000000", true],
    ["0", true],
    ["1e-30", false],
  ])("%s: %s", (text, expected) => {
    expect(decimal(text).fits()).toBe(expected);
    expect(numberFits(simplify(decimal(text)))).toBe(expected);
  });

  test("the same bounds hold for plain numbers; NaN and infinities are never stored", () => {
    fc.assert(
      fc.property(doubles, (n) => {
        expect(numberFits(n)).toBe(Decimal.of(n).fits());
      }),
    );
    for (const n of [NaN, Infinity, -Infinity, 1e20, -1e300, 1e-9, 5e-324]) expect(numberFits(n)).toBe(false);
    for (const n of [0, -0, 1e-8, 99999999999999980000, -0.00000001]) expect(numberFits(n)).toBe(true);
  });
});

describe("numbers stay plain where that is exact", () => {
  test.each([
    ["0", 0],
    ["-12.34", -12.34],
    ["0.000001", 0.000001],
    ["123456789012345", 123456789012345],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["99999999999999900000", 99999999999999900000],
    ["12345.6789012345", 12345.6789012345],
  ])("%s is plain", (text, expected) => {
    expect(simplify(decimal(text))).toBe(expected);
  });

  test.each(["9007199254740992", "0.0000009", "0.1234567890123456", "1234567890123456.5", "1000000000000000000000", "0.30000000000000004"])(
    "%s is not",
    (text) => {
      expect(simplify(decimal(text))).toEqual(decimal(text));
    },
  );

  test("a plain number prints as the decimal did", () => {
    fc.assert(
      fc.property(decimals, (a) => {
        expect(String(simplify(a))).toBe(String(a));
      }),
    );
  });

  test("two negative zeros add up to zero", () => expect(addNumbers(-0, -0)).toBe(0));

  test("a sum is exact and in canonical form", () => {
    fc.assert(
      fc.property(numerics, numerics, (a, b) => {
        const sum = addNumbers(a, b);
        expect(sum).toEqual(simplify(Decimal.of(a).plus(b)));
        expect(addNumbers(b, a)).toEqual(sum);
      }),
      { numRuns: 500 },
    );
    expect(addNumbers(0.1, 0.2)).toBe(0.3);
    expect(addNumbers(1.005, 0.005)).toBe(1.01);
    expect(String(addNumbers(Number.MAX_SAFE_INTEGER, 1))).toBe("9007199254740992");
    expect(String(addNumbers(0.0000001, 0.0000002))).toBe("0.0000003");
    expect(String(addNumbers(9999999999999.99, 0.01))).toBe("10000000000000");
  });

  test("comparing agrees with the exact numbers", () => {
    fc.assert(
      fc.property(numerics, numerics, (a, b) => {
        expect(compareNumbers(a, b)).toBe(Decimal.of(a).compare(b));
      }),
    );
  });
});

test("a decimal is written as a JSON number, digit for digit", () => {
  expect(JSON.stringify({ a: decimal("12345678901234567890.12345678"), b: [decimal("1e-8")] })).toBe(
    '{"a":12345678901234567890.12345678,"b":[0.00000001]}',
  );
});

test("a whole number is an integer however it was written", () => {
  expect(decimal("12.000").isInteger()).toBe(true);
  expect(decimal("1.5e1").isInteger()).toBe(true);
  expect(decimal("1.25e1").isInteger()).toBe(false);
});
