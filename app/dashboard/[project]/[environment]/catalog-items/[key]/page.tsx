import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { CatalogItemForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("catalogItems");

export default editDefinitionPage("catalogItems", CatalogItemForm);
