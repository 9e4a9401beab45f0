import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ValuationForm } from "../../../../../authoring/screens/money-forms.tsx";

export const metadata = newMetadata("pointsValuations");

export default newDefinitionPage("pointsValuations", ValuationForm);
