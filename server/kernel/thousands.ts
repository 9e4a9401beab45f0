const GROUPED = new Intl.NumberFormat("en", { maximumFractionDigits: 100 });

/** A number's text with its thousands apart, digit for digit: "12345.5" is "12,345.5". */
export const withThousands = (digits: string): string => GROUPED.format(digits as Intl.StringNumericLiteral);
