/** Rounds to three decimals, smaller numbers to three digits: 0.00000002 is not zero. */
const ROUNDED = new Intl.NumberFormat("en", { maximumFractionDigits: 3, maximumSignificantDigits: 3, roundingPriority: "morePrecision" });
const EXACT = new Intl.NumberFormat("en", { maximumFractionDigits: 100 });

/** A number's text with its thousands apart, digit for digit: "12345.5" is "12,345.5". */
export const withThousands = (digits: string): string => EXACT.format(digits as Intl.StringNumericLiteral);

/** "1,000"; a dash for nothing. */
export const formatted = (value: unknown): string => (typeof value === "number" ? ROUNDED.format(value) : String(value ?? "–"));

/** "1 point", "1,000 points" */
export const plural = (count: unknown, one: string, many = `${one}s`): string => `${formatted(count)} ${count === 1 ? one : many}`;

/** Capitalized: "mission" becomes "Mission". */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
