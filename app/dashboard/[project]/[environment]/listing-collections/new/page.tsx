import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ListingCollectionForm } from "../../../../../_authoring/screens/collection-forms.tsx";

export const metadata = newMetadata("marketplaceCollections");

export default newDefinitionPage("marketplaceCollections", ListingCollectionForm);
