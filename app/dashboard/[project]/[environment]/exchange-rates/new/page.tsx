import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ExchangeRateForm } from "../../../../../_authoring/screens/money-forms.tsx";

export const metadata = newMetadata("exchangeRates");

export default newDefinitionPage("exchangeRates", ExchangeRateForm);
