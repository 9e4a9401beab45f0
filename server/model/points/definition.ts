import { z } from "zod";
import { Decimal, type Numeric, numberFits } from "../kernel/decimal.ts";
import { isNumeric } from "../kernel/values.ts";
import { finding, issueText, mistake } from "../rules/finding.ts";
import { defineKind } from "../rules/kind-module.ts";
import { given } from "../rules/readable.ts";
import { instant, must, wholeNumber } from "../rules/shapes.ts";
import { canonicalValue } from "../rules/value.ts";

export const currencyShape = z.string(must("shape.currency")).regex(/^[A-Z]{3}$/, must("shape.currency_code"));

const positiveShape = z.custom<Numeric>((value) => isNumeric(value) && numberFits(value) && Decimal.of(value).compare(0) > 0, {
  error: () => issueText(mistake("shape.number_positive")),
});

/** The value of one unit of a currency in the base currency. It has no key of its own, and cannot be switched off. */
const exchangeRateShape = z.strictObject({ currencyCode: currencyShape, rate: positiveShape });

export const exchangeRateKind = defineKind(exchangeRateShape, {
  identity: "currencyCode",
  isMetByPlayers: false,
  fixed: [],
  /** A rate needs a base currency, which has no rate itself. */
  check({ path, readable }, { baseCurrency }) {
    const code = given(given(readable)?.currencyCode);
    if (code === undefined) return [];
    if (baseCurrency === null) return [finding(path, "money.base_missing", { for: "rate" })];
    return code === baseCurrency ? [finding([...path, "currencyCode"], "money.rate_of_base", { currency: code })] : [];
  },
  needsBaseCurrency: () => true,
  canonical: (one) => ({ ...one, rate: canonicalValue("Number", one.rate) }),
  summary: ({ rate }) => ({ rate: String(rate) }),
});

/** The value of a point from an instant on. */
const pointsValuationShape = z.strictObject({
  effectiveFrom: instant,
  points: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  amount: positiveShape,
  currency: currencyShape,
});

export const pointsValuationKind = defineKind(pointsValuationShape, {
  identity: "effectiveFrom",
  isMetByPlayers: false,
  fixed: [],
  canonical: (one) => ({ ...one, amount: canonicalValue("Number", one.amount) }),
  summary: ({ points, amount, currency }) => ({ points, amount: String(amount), currency }),
});
