import { Percent } from "lucide-react";
import { column } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const exchangeRates = {
  path: "exchange-rates",
  one: "exchange rate",
  many: "Exchange rates",
  icon: Percent,
  section: "Data",
  keywords: "currency money conversion",
  purpose: "An exchange rate says what one unit of a currency is worth in the base currency, so that amounts can be added up.",
  columns: [column("rate", "Rate", ({ rate }) => String(rate), true)],
  blank: () => ({ currencyCode: "", rate: null }),
  isKeyless: true,
} satisfies KindModule;
