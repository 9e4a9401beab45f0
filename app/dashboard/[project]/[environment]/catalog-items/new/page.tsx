import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { CatalogItemForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const metadata = newMetadata("catalogItems");

export default newDefinitionPage("catalogItems", CatalogItemForm);
