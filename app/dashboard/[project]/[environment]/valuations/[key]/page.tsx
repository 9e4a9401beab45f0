import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ValuationForm } from "../../../../../authoring/screens/money-forms.tsx";

export const generateMetadata = editMetadata("pointsValuations");

export default editDefinitionPage("pointsValuations", ValuationForm);
