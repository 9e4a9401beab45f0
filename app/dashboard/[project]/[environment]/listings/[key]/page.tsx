import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ListingForm } from "../../../../../_authoring/screens/listing-form.tsx";

export const generateMetadata = editMetadata("marketplaceItems");

export default editDefinitionPage("marketplaceItems", ListingForm);
