import type { Definitions, MetricDefinition } from "../definitions/compiled.ts";
import { checkProperties } from "../events/properties.ts";
import { isTooFarAhead, TOO_FAR_AHEAD } from "../kernel/facts.ts";
import { Decimal, type Numeric, numberFits, simplify } from "../kernel/decimal.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { jsonPointer } from "../kernel/json.ts";
import { Problems } from "../kernel/problem.ts";
import type { Properties } from "../kernel/values.ts";
import { shortened } from "../rules/naming.ts";

/** A metric event of the right shape. */
export interface MetricReport {
  metricKey: string;
  value: Numeric;
  currencyCode: string | null;
  exchangeRate: Numeric | null;
  /** Epoch milliseconds. */
  occurredAt: number;
  properties: Record<string, unknown>;
}

/** An accepted report: the amount as sent, and as added to the total. */
export interface MetricAmount {
  metric: MetricDefinition;
  value: Numeric;
  currencyCode: string | null;
  exchangeRate: Numeric | null;
  /** In the base currency, rounded half-even to 8 decimals; the value itself if the metric is not an amount of money. */
  normalizedValue: Numeric;
  properties: Properties;
}

const DECIMALS = 8;

/**
 * Judges a report by the definition of its metric, in steps: it lists every problem up to the limit, in the order of the fields. `now` is
 * on the environment's clock.
 */
export function* judgeReport(
  report: MetricReport,
  definitions: Definitions,
  now: number,
): Generator<void, { amount: MetricAmount } | { problems: Problems }> {
  const problems = new Problems();
  const refuse: Refuse = (code, message, pointer) => problems.add(() => ({ code, message, pointer }));
  const judgeInstant = () =>
    isTooFarAhead(report.occurredAt, now) && refuse("request.invalid", `occurredAtUtc ${TOO_FAR_AHEAD}`, "#/occurredAtUtc");
  const metric = metricOf(report.metricKey, definitions, refuse);
  if (!numberFits(report.value)) refuse("metric.value_out_of_range", `value ${TOO_WIDE}`, "#/value");
  if (metric === null) {
    judgeInstant();
    return { problems };
  }
  const rate = metric.kind === "Currency" ? rateOf(report, definitions, refuse) : noMoney(report, metric, refuse);
  const normalized = rate === null ? null : normalize(report.value, rate.rate, refuse);
  judgeInstant();
  const properties = yield* propertiesOf(metric, report.properties, problems);
  if (!problems.isEmpty || rate === null || normalized === null || properties === null) return { problems };
  const { currencyCode, rate: exchangeRate } = rate;
  return { amount: { metric, value: report.value, currencyCode, exchangeRate, normalizedValue: normalized, properties } };
}

type Refuse = (code: ErrorCode, message: string, pointer: string) => null;

const TOO_WIDE = "has more than 20 digits before or 8 after the decimal point.";

function metricOf(key: string, { metricsByKey }: Definitions, refuse: Refuse): MetricDefinition | null {
  const metric = metricsByKey.get(key);
  if (metric === undefined) return refuse("metric.not_found", `There is no metric "${shortened(key)}" in this environment.`, "#/metricKey");
  return metric.active ? metric : refuse("metric.inactive", `The metric "${key}" is switched off.`, "#/metricKey");
}

interface Rate {
  currencyCode: string | null;
  rate: Numeric | null;
}

function noMoney({ currencyCode, exchangeRate }: MetricReport, { key }: MetricDefinition, refuse: Refuse): Rate | null {
  if (currencyCode !== null) {
    return refuse("metric.currency_code_not_allowed", `The metric "${key}" is a Number; send it without currencyCode.`, "#/currencyCode");
  }
  return exchangeRate === null ? { currencyCode: null, rate: null } : refuse("request.invalid", ONLY_WITH_CURRENCY, "#/exchangeRate");
}

const ONLY_WITH_CURRENCY = "exchangeRate goes only with a currencyCode.";

function rateOf({ metricKey, currencyCode, exchangeRate }: MetricReport, definitions: Definitions, refuse: Refuse): Rate | null {
  if (currencyCode === null) {
    refuse(
      "metric.currency_code_required",
      `The metric "${metricKey}" is one of money; say in which currency, such as EUR.`,
      "#/currencyCode",
    );
    return exchangeRate === null ? null : refuse("request.invalid", ONLY_WITH_CURRENCY, "#/exchangeRate");
  }
  const code = currencyCode.toUpperCase();
  const rate = exchangeRate ?? (code === definitions.baseCurrency ? 1 : definitions.exchangeRates.get(code));
  if (rate !== undefined) return { currencyCode: code, rate };
  const message = `There is no exchange rate for ${code}; define one, or send exchangeRate.`;
  return refuse("metric.exchange_rate_not_found", message, "#/currencyCode");
}

function normalize(value: Numeric, rate: Numeric | null, refuse: Refuse): Numeric | null {
  if (rate === null || !numberFits(value)) return value;
  const product = simplify(Decimal.of(value).times(rate).round(DECIMALS));
  return numberFits(product) ? product : refuse("metric.value_out_of_range", `value in the base currency ${TOO_WIDE}`, "#/value");
}

const CODE_OF_PROPERTY: Partial<Record<ErrorCode, ErrorCode>> = {
  "event.unknown_property": "metric.unknown_property",
  "event.property_type_mismatch": "metric.property_type_mismatch",
  "event.property_value_out_of_range": "metric.value_out_of_range",
};

const propertiesOf = (metric: MetricDefinition, raw: Record<string, unknown>, problems: Problems): Generator<void, Properties | null> =>
  checkProperties(
    metric,
    raw,
    null,
    (code, key, message) =>
      problems.add(() => ({
        code: CODE_OF_PROPERTY[code] ?? "request.invalid",
        message: message(),
        pointer: jsonPointer(["properties", key]),
      })),
    "metric",
  );
