import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { AttributeForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("attributes");

export default editDefinitionPage("attributes", AttributeForm);
