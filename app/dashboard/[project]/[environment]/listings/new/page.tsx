import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ListingForm } from "../../../../../authoring/screens/listing-form.tsx";

export const metadata = newMetadata("marketplaceItems");

export default newDefinitionPage("marketplaceItems", ListingForm);
