"use client";

import { useMemo } from "react";
import type { Numeric } from "../../../server/kernel/decimal.ts";
import { Combobox } from "../../_components/combobox.tsx";
import { InstantInput } from "../../_components/instant-input.tsx";
import { NumberInput } from "../fields/inputs.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { Place } from "../form/place.tsx";
import { Section } from "../form/section.tsx";

/** ISO 4217, by code, with its English name. */
function useCurrencies() {
  return useMemo(() => {
    const names = new Intl.DisplayNames("en", { type: "currency" });
    return Intl.supportedValuesOf("currency").map((code) => ({ value: code, label: code, hint: names.of(code) }));
  }, []);
}

interface CurrencyPickerProps {
  value: string;
  onValueChange(code: string): void;
  "aria-label"?: string;
}

export function CurrencyPicker({ value, onValueChange, ...rest }: CurrencyPickerProps) {
  return (
    <Combobox
      {...rest}
      value={value === "" ? null : value}
      onValueChange={(code) => onValueChange(code ?? "")}
      options={useCurrencies()}
      placeholder="EUR, USD, …"
    />
  );
}

/** What one unit of a currency is worth in the base currency. */
export function ExchangeRateSection({ baseCurrency }: { baseCurrency: string | null }) {
  const { isNew } = useAuthoring();
  const [code, setCode] = useMember<string>("currencyCode");
  const [rate, setRate] = useMember<Numeric | null>("rate");
  const base = baseCurrency ?? "the base currency";
  return (
    <Section title="Rate" description="Holds from the next metric event on; what was converted before stays as it was.">
      <div className="grid gap-4 sm:grid-cols-2">
        <Place at={["currencyCode"]} label="Currency" required hint={isNew ? undefined : "Another currency is a rate of its own."}>
          <CurrencyPicker value={code} onValueChange={setCode} />
        </Place>
        <Place
          at={["rate"]}
          label={`Worth in ${base}`}
          required
          hint={`How many ${base} one ${code || "unit"} is. Up to 8 decimals, exact.`}
        >
          <NumberInput value={rate} onValueChange={setRate} placeholder="0.92" />
        </Place>
      </div>
    </Section>
  );
}

/** What a point is worth from an instant on. */
export function ValuationSection() {
  const { catalogue } = useAuthoring();
  const [from, setFrom] = useMember<string | null>("effectiveFrom");
  const [points, setPoints] = useMember<Numeric | null>("points");
  const [amount, setAmount] = useMember<Numeric | null>("amount");
  const [currency, setCurrency] = useMember<string>("currency");
  return (
    <Section title="Worth" description="Prices what players hold, in analytics. It changes nothing for players.">
      <Place
        at={["effectiveFrom"]}
        label="From"
        required
        hint={`In the project's time zone, ${catalogue.timeZone}.`}
        className="sm:max-w-64"
      >
        <InstantInput value={from} onValueChange={setFrom} timeZone={catalogue.timeZone} />
      </Place>
      <div className="grid gap-4 sm:grid-cols-3">
        <Place at={["points"]} label="So many points" required>
          <NumberInput value={points} onValueChange={setPoints} placeholder="100" />
        </Place>
        <Place at={["amount"]} label="are worth" required>
          <NumberInput value={amount} onValueChange={setAmount} placeholder="1" />
        </Place>
        <Place at={["currency"]} label="of this currency" required>
          <CurrencyPicker value={currency} onValueChange={setCurrency} />
        </Place>
      </div>
    </Section>
  );
}
