import { type Finding, finding } from "../rules/finding.ts";
import { given } from "../rules/readable.ts";
import type { File } from "./file.ts";
import type { Circumstances } from "./immutable.ts";
import type { Result } from "./result.ts";

/**
 * What is wrong with the money of an environment: metrics of money and rates need a base currency, which has no rate itself
 * and stays as it is once amounts were added in it (definitions.md, Rules); another one needs other rates.
 */
export function moneyFindings(file: File, result: Result, { baseCurrency: before, hasMoney }: Circumstances): Finding[] {
  const base = file.settings.baseCurrency ?? before;
  const findings: Finding[] = [];
  if (hasMoney && before !== null && base !== before) {
    findings.push(finding(["baseCurrency"], "money.base_fixed", { currency: before }));
  }
  for (const { readable, at } of file.lists.metrics ?? []) {
    if (base !== null || given(given(readable)?.kind) !== "Currency") continue;
    findings.push(finding(["metrics", at, "kind"], "money.base_missing", { for: "metric" }));
  }
  const left = [...result.exchangeRates.values()].filter(({ entry, isActive }) => entry === null && isActive);
  if (before !== null && base !== before && left.length > 0) {
    findings.push(finding(["baseCurrency"], "money.rates_left", { codes: left.map(({ key }) => key), currency: before }));
  }
  for (const { readable, at } of file.lists.exchangeRates ?? []) {
    const code = given(given(readable)?.currencyCode);
    if (code === undefined) continue;
    if (base === null) {
      findings.push(finding(["exchangeRates", at], "money.base_missing", { for: "rate" }));
    } else if (code === base) {
      findings.push(finding(["exchangeRates", at, "currencyCode"], "money.rate_of_base", { currency: code }));
    }
  }
  return findings;
}
