import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { CatalogItemForm } from "../../../../../authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("catalogItems");

export default editDefinitionPage("catalogItems", CatalogItemForm);
