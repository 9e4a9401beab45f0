"use client";

import Link from "next/link";
import { useWhere } from "../../_client/where.tsx";
import { Notice } from "../../_components/surface.tsx";
import { useBaseCurrency } from "../catalogue-query.ts";
import { DefinitionForm } from "../form/definition-form.tsx";
import { type Begin, useDefinitionForm } from "../form/use-definition-form.ts";
import { ExchangeRateSection, ValuationSection } from "../kinds/money-sections.tsx";

export function ExchangeRateForm(begin: Begin) {
  const baseCurrency = useBaseCurrency();
  const { href } = useWhere();
  return (
    <DefinitionForm form={useDefinitionForm("exchangeRates", begin)}>
      {baseCurrency === null && (
        <Notice tone="warn" title="This environment has no base currency yet">
          A rate says what a currency is worth in it. Choose it in the{" "}
          <Link href={href("/settings")} className="font-medium text-accent hover:underline">
            settings
          </Link>{" "}
          first.
        </Notice>
      )}
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
