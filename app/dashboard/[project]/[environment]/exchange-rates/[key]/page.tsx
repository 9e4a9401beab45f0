import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ExchangeRateForm } from "../../../../../_authoring/screens/money-forms.tsx";

export const generateMetadata = editMetadata("exchangeRates");

export default editDefinitionPage("exchangeRates", ExchangeRateForm);
