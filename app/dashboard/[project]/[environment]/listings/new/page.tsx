import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ListingForm } from "../../../../../_authoring/screens/listing-form.tsx";

export const metadata = newMetadata("marketplaceItems");

export default newDefinitionPage("marketplaceItems", ListingForm);
