import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ExchangeRateForm } from "../../../../../authoring/screens/money-forms.tsx";

export const generateMetadata = editMetadata("exchangeRates");

export default editDefinitionPage("exchangeRates", ExchangeRateForm);
