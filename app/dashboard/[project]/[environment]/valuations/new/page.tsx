import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ValuationForm } from "../../../../../_authoring/screens/money-forms.tsx";

export const metadata = newMetadata("pointsValuations");

export default newDefinitionPage("pointsValuations", ValuationForm);
