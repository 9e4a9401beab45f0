import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { AttributeForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const metadata = newMetadata("attributes");

export default newDefinitionPage("attributes", AttributeForm);
