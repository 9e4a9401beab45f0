import { given } from "../rules/readable.ts";
import type { File } from "./file.ts";
import type { Circumstances } from "./immutable.ts";
import { type Finding, quoted, quotedList } from "./problems.ts";
import type { Result } from "./result.ts";

/** What to do, by whatever way it comes: in the dashboard or in a file. */
const NONE_YET = 'and this environment has none yet; choose it in the settings, or set "baseCurrency" in the file';

/**
 * What is wrong with the money of an environment: metrics of money and rates need a base currency, which has no rate itself
 * and stays as it is once amounts were added in it (definitions.md, Rules); another one needs other rates.
 */
export function moneyFindings(file: File, result: Result, { baseCurrency: before, hasMoney }: Circumstances): Finding[] {
  const base = file.settings.baseCurrency ?? before;
  const findings: Finding[] = [];
  if (hasMoney && before !== null && base !== before) {
    const message = `the base currency cannot change any more, since amounts were added in ${before}; leave it at ${quoted(before)}`;
    findings.push({ path: ["baseCurrency"], message });
  }
  for (const { readable, at } of file.lists.metrics ?? []) {
    if (base !== null || given(given(readable)?.kind) !== "Currency") continue;
    findings.push({
      path: ["metrics", at, "kind"],
      message: `a metric of kind Currency needs a base currency, ${NONE_YET}`,
    });
  }
  const left = [...result.exchangeRates.values()].filter(({ entry, isActive }) => entry === null && isActive);
  if (before !== null && base !== before && left.length > 0) {
    const message = `the rates of ${quotedList(left.map(({ key }) => key))} are to ${before}; delete them first and add them anew, or in a file put each into "exchangeRates" anew or leave it out with --prune`;
    findings.push({ path: ["baseCurrency"], message });
  }
  for (const { readable, at } of file.lists.exchangeRates ?? []) {
    const code = given(given(readable)?.currencyCode);
    if (code === undefined) continue;
    if (base === null) {
      findings.push({ path: ["exchangeRates", at], message: `a rate is to the base currency, ${NONE_YET}` });
    } else if (code === base) {
      findings.push({
        path: ["exchangeRates", at, "currencyCode"],
        message: `${code} is the base currency, which needs no rate; leave it out`,
      });
    }
  }
  return findings;
}
