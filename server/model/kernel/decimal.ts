/** A number of the API: a plain one where that is exact (see `simplify`), a `Decimal` otherwise. */
export type Numeric = number | Decimal;

/** The bounds of a stored number. */
const INTEGER_DIGITS = 20;
const DECIMALS = 8;

/**
 * The most digits a number may have on either side of the point: enough for the product of two stored numbers, and for the sum of all of
 * them. A wider text is not a number here, so that no number costs more than its characters.
 */
const MAX_DIGITS = 60;

/** Up to this many digits, every decimal has a distinct double, which prints as the same decimal. */
const SAFE_DIGITS = 15;
const SAFE_INTEGERS = 10 ** SAFE_DIGITS;

const BRAND = Symbol.for("engagement.Decimal");

/** TypeScript's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** An exact decimal number: `units` / 10^`scale`, without trailing zeros, so that equal numbers have equal fields. */
export class Decimal {
  readonly units: bigint;
  readonly scale: number;

  private constructor(units: bigint, scale: number) {
    while (scale > 0 && units % 10n === 0n) {
      units /= 10n;
      scale--;
    }
    this.units = units;
    this.scale = scale;
  }

  /** The number that prints as `n` does. RangeError for NaN, the infinities, and more than sixty digits on either side of the point. */
  static of(n: Numeric | bigint): Decimal {
    if (n instanceof Decimal) return n;
    if (typeof n === "bigint") return new Decimal(n, 0);
    if (Number.isSafeInteger(n)) return new Decimal(BigInt(n), 0);
    const parsed = Decimal.parse(String(n));
    if (!parsed) throw new RangeError(`${n} is not a decimal number`);
    return parsed;
  }

  /** Reads a number as JSON writes it. Null for anything else, and for more than sixty digits on either side of the point. */
  static parse(text: string): Decimal | null {
    const written = writtenNumber(text);
    if (written === null) return null;
    const { integer, fraction, first, end, exponent } = written;
    if (first === end) return new Decimal(0n, 0);
    // The number is 0.<digits from first to end> · 10^above.
    const above = integer.to - integer.from - first + exponent;
    const below = end - first - above;
    if (above > MAX_DIGITS || below > MAX_DIGITS) return null;
    const point = integer.to - integer.from;
    const digits =
      text.slice(integer.from + first, integer.from + Math.min(end, point)) +
      text.slice(fraction.from + Math.max(first - point, 0), fraction.from + Math.max(end - point, 0));
    const units = BigInt(text.startsWith("-") ? `-${digits}` : digits);
    return below >= 0 ? new Decimal(units, below) : new Decimal(units * power(-below), 0);
  }

  /** One process may hold two copies of this module (the server's and Next's); this mark lets them recognize each other's decimals. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  get [BRAND](): true {
    return true;
  }

  plus(other: Numeric): Decimal {
    const o = Decimal.of(other);
    const scale = Math.max(this.scale, o.scale);
    return new Decimal(unitsAt(this, scale) + unitsAt(o, scale), scale);
  }

  minus(other: Numeric): Decimal {
    const o = Decimal.of(other);
    const scale = Math.max(this.scale, o.scale);
    return new Decimal(unitsAt(this, scale) - unitsAt(o, scale), scale);
  }

  times(other: Numeric): Decimal {
    const o = Decimal.of(other);
    return new Decimal(this.units * o.units, this.scale + o.scale);
  }

  /** The quotient rounded half-even to `decimals` places. RangeError for a divisor of zero. */
  dividedBy(other: Numeric, decimals: number): Decimal {
    const o = Decimal.of(other);
    if (o.units === 0n) throw new RangeError("Division by zero");
    const shift = decimals + o.scale - this.scale;
    const above = shift > 0 ? this.units * power(shift) : this.units;
    const below = shift < 0 ? o.units * power(-shift) : o.units;
    return new Decimal(halfEven(above, below), decimals);
  }

  /** Rounded half-even to at most `decimals` places. */
  round(decimals: number): Decimal {
    if (this.scale <= decimals) return this;
    return new Decimal(halfEven(this.units, power(this.scale - decimals)), decimals);
  }

  compare(other: Numeric): -1 | 0 | 1 {
    const o = Decimal.of(other);
    const scale = Math.max(this.scale, o.scale);
    const a = unitsAt(this, scale);
    const b = unitsAt(o, scale);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: Numeric): boolean {
    return this.compare(other) === 0;
  }

  /** Whether it can be stored: at most 20 digits before the point and 8 after it. */
  fits(): boolean {
    return this.scale <= DECIMALS && absolute(this.units) < TOO_WIDE[this.scale]!;
  }

  isInteger(): boolean {
    return this.scale === 0;
  }

  /** The nearest double. */
  toNumber(): number {
    return Number(this.toString());
  }

  /** Without exponent and trailing zeros; zero has no sign. */
  toString(): string {
    if (this.scale === 0) return this.units.toString();
    const digits = absolute(this.units)
      .toString()
      .padStart(this.scale + 1, "0");
    const point = digits.length - this.scale;
    return `${this.units < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  /** A JSON number, digit for digit. */
  toJSON(): unknown {
    return rawJSON(this.toString());
  }
}

/** The position of a number's digits in its text; `first` to `end` are the digits without the zeros around them. */
interface WrittenNumber {
  integer: { from: number; to: number };
  fraction: { from: number; to: number };
  first: number;
  end: number;
  exponent: number;
}

/** A number as JSON writes it; null for anything else. Looks at each character once or twice, however many there are. */
function writtenNumber(text: string): WrittenNumber | null {
  const integer = digitsFrom(text, text.startsWith("-") ? 1 : 0);
  const length = integer.to - integer.from;
  if (length === 0 || (length > 1 && isZero(text, integer.from))) return null;
  const hasPoint = text[integer.to] === ".";
  const fraction = hasPoint ? digitsFrom(text, integer.to + 1) : { from: integer.to, to: integer.to };
  if (hasPoint && fraction.from === fraction.to) return null;
  const exponent = exponentFrom(text, fraction.to);
  if (exponent === null) return null;
  const shift = fraction.from - length;
  let first = 0;
  let end = length + fraction.to - fraction.from;
  while (first < end && isZero(text, first < length ? integer.from + first : shift + first)) first++;
  while (end > first && isZero(text, end <= length ? integer.from + end - 1 : shift + end - 1)) end--;
  return { integer, fraction, first, end, exponent };
}

function digitsFrom(text: string, from: number): { from: number; to: number } {
  let to = from;
  for (let code = text.charCodeAt(to); code >= 48 && code <= 57; code = text.charCodeAt(to)) to++;
  return { from, to };
}

/** The exponent with which a number ends here, 0 for none; null for something else. */
function exponentFrom(text: string, at: number): number | null {
  if (at === text.length) return 0;
  if (text[at] !== "e" && text[at] !== "E") return null;
  const sign = text[at + 1];
  const { from, to } = digitsFrom(text, sign === "+" || sign === "-" ? at + 2 : at + 1);
  return from < to && to === text.length ? Number(text.slice(at + 1)) : null;
}

const isZero = (text: string, at: number): boolean => text.charCodeAt(at) === 48;

/** The exact sum, as a plain number wherever that is exact. Sums of integers and of amounts of money avoid the slow path. */
export function addNumbers(a: Numeric, b: Numeric): Numeric {
  if (typeof a === "number" && typeof b === "number") {
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
      // Adding 0 normalises −0, the sum of two −0.
      const sum = a + b + 0;
      if (Number.isSafeInteger(sum)) return sum;
    } else {
      const sum = hundredths(a) + hundredths(b);
      if (Math.abs(sum) < SAFE_INTEGERS) return sum / 100;
    }
  }
  return simplify(Decimal.of(a).plus(b));
}

/**
 * How many hundredths `n` is; NaN when it is not a whole and moderate number of them. The quotient of an integer of at most 15 digits by
 * 100 is the one double for that decimal, so that the comparison is exact.
 */
function hundredths(n: number): number {
  const whole = Math.round(n * 100);
  return whole / 100 === n && Math.abs(whole) < SAFE_INTEGERS ? whole : NaN;
}

export function compareNumbers(a: Numeric, b: Numeric): -1 | 0 | 1 {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return Decimal.of(a).compare(b);
}

/**
 * The plain number where it is exact and prints as the same digits: safe integers, and at most 15 digits in a size that
 * JavaScript writes without exponent. Equal numbers always come out in the same form.
 */
export function simplify(d: Decimal): Numeric {
  if (d.scale === 0 && d.units >= BigInt(Number.MIN_SAFE_INTEGER) && d.units <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(d.units);
  if (d.scale > MAX_PLAIN_LENGTH || absolute(d.units) >= MAX_PLAIN) return d;
  const text = d.toString();
  if (significantDigits(d) > SAFE_DIGITS) return d;
  const plain = Number(text);
  return String(plain) === text ? plain : d;
}

/** JavaScript writes numbers of more digits with an exponent. */
const MAX_PLAIN_LENGTH = 21;
const MAX_PLAIN = 10n ** BigInt(MAX_PLAIN_LENGTH);

/** The number of digits without leading and trailing zeros; 0 for zero. */
function significantDigits({ units, scale }: Decimal): number {
  const digits = absolute(units).toString();
  let end = digits.length;
  // With a scale above 0 there is no trailing zero.
  while (scale === 0 && end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end;
}

/** Whether it can be stored: at most 20 digits before the point and 8 after it. */
export function numberFits(n: Numeric): boolean {
  if (typeof n !== "number") return n.fits();
  if (Number.isSafeInteger(n) || !Number.isNaN(hundredths(n))) return true;
  const size = Math.abs(n);
  return size < TOO_LARGE && size >= SMALLEST && Decimal.of(n).fits();
}

/** Doubles are precise enough as bounds: no double lies between them and the decimals that they stand for. */
const TOO_LARGE = 10 ** INTEGER_DIGITS;
const SMALLEST = 10 ** -DECIMALS;

const unitsAt = (d: Decimal, scale: number): bigint => (scale === d.scale ? d.units : d.units * power(scale - d.scale));
const power = (exponent: number): bigint => 10n ** BigInt(exponent);
const absolute = (units: bigint): bigint => (units < 0n ? -units : units);

/** By scale: the smallest units with more than 20 digits before the point. */
const TOO_WIDE = Array.from({ length: DECIMALS + 1 }, (_, scale) => power(INTEGER_DIGITS + scale));

function halfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = absolute(dividend % divisor) * 2n;
  const whole = absolute(divisor);
  if (twice < whole || (twice === whole && quotient % 2n === 0n)) return quotient;
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}
