"use client";

import { useBaseCurrency } from "../../catalogue-query.ts";
import { CurrencyPicker } from "../../fields/currency-picker.tsx";
import { NumberMember } from "../../fields/member-fields.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { Place } from "../../form/place.tsx";
import { Section } from "../../form/section.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { NoBaseCurrency } from "../../fields/no-base-currency.tsx";

export const ExchangeRateForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="exchangeRates">
    <NoBaseCurrency>Exchange rates are to the base currency.</NoBaseCurrency>
    <Rate />
  </DefinitionForm>
);

/** The rate of a currency in the base currency. */
function Rate() {
  const { isNew } = useAuthoring();
  const [code, setCode] = useMember<string>("currencyCode");
  const base = useBaseCurrency() ?? "the base currency";
  return (
    <Section title="Rate" description="Applies from the next metric event. Amounts already converted do not change.">
      <div className="grid gap-4 sm:grid-cols-2">
        <Place at={["currencyCode"]} label="Currency" required hint={isNew ? undefined : "Each currency has a rate of its own."}>
          <CurrencyPicker value={code} onValueChange={setCode} />
        </Place>
        <NumberMember
          member="rate"
          label={`Worth in ${base}`}
          required
          hint={`How many ${base} one ${code || "unit"} is worth. Up to 8 decimals, exact.`}
          placeholder="0.92"
        />
      </div>
    </Section>
  );
}
