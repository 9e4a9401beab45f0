"use client";

import { useMemo } from "react";
import { Combobox } from "../../components/combobox.tsx";

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
