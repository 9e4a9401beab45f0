import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { AttributeForm } from "../../../../../authoring/screens/data-forms.tsx";

export const metadata = newMetadata("attributes");

export default newDefinitionPage("attributes", AttributeForm);
