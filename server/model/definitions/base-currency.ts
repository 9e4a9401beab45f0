import { type Finding, finding } from "../rules/finding.ts";
import type { File } from "./file.ts";
import type { ImportContext } from "./import-context.ts";
import type { Result } from "./result.ts";

/** The base currency after an import. */
export const baseCurrencyOf = (file: File, { baseCurrency }: Pick<ImportContext, "baseCurrency">): string | null =>
  file.settings.baseCurrency ?? baseCurrency;

/**
 * The problems of changing the base currency: it is fixed once amounts were added in it, and another one needs other rates. Definitions
 * that need a base currency check that themselves (`model/metrics/definition.ts`, `model/points/definition.ts`).
 */
export function baseCurrencyFindings(file: File, result: Result, { baseCurrency: before, hasMoney }: ImportContext): Finding[] {
  const base = baseCurrencyOf(file, { baseCurrency: before });
  if (before === null || base === before) return [];
  const left = [...result.exchangeRates.values()].filter(({ entry, isActive }) => entry === null && isActive);
  return [
    ...(hasMoney ? [finding(["baseCurrency"], "money.base_fixed", { currency: before })] : []),
    ...(left.length > 0 ? [finding(["baseCurrency"], "money.rates_left", { codes: left.map(({ key }) => key), currency: before })] : []),
  ];
}
