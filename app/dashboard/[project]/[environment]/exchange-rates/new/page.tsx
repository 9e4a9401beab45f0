import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ExchangeRateForm } from "../../../../../authoring/screens/money-forms.tsx";

export const metadata = newMetadata("exchangeRates");

export default newDefinitionPage("exchangeRates", ExchangeRateForm);
