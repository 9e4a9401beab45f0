import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { AttributeForm } from "../../../../../authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("attributes");

export default editDefinitionPage("attributes", AttributeForm);
