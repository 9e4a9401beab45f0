import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ListingForm } from "../../../../../authoring/screens/listing-form.tsx";

export const generateMetadata = editMetadata("marketplaceItems");

export default editDefinitionPage("marketplaceItems", ListingForm);
