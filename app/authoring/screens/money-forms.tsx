"use client";

import { useBaseCurrency } from "../catalogue-query.ts";
import { DefinitionForm } from "../form/definition-form.tsx";
import { type Begin, useDefinitionForm } from "../form/use-definition-form.ts";
import { NoBaseCurrency } from "../kinds/no-base-currency.tsx";
import { ExchangeRateSection, ValuationSection } from "../kinds/money-sections.tsx";

export function ExchangeRateForm(begin: Begin) {
  const baseCurrency = useBaseCurrency();
  return (
    <DefinitionForm form={useDefinitionForm("exchangeRates", begin)}>
      <NoBaseCurrency>A rate says what a currency is worth in it.</NoBaseCurrency>
      <ExchangeRateSection baseCurrency={baseCurrency} />
    </DefinitionForm>
  );
}

export function ValuationForm(begin: Begin) {
  return (
    <DefinitionForm form={useDefinitionForm("pointsValuations", begin)}>
      <ValuationSection />
    </DefinitionForm>
  );
}
