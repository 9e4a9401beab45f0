import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ValuationForm } from "../../../../../_authoring/screens/money-forms.tsx";

export const generateMetadata = editMetadata("pointsValuations");

export default editDefinitionPage("pointsValuations", ValuationForm);
