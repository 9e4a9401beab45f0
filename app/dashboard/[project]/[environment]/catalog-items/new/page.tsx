import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { CatalogItemForm } from "../../../../../authoring/screens/data-forms.tsx";

export const metadata = newMetadata("catalogItems");

export default newDefinitionPage("catalogItems", CatalogItemForm);
