import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ListingCollectionForm } from "../../../../../authoring/screens/collection-forms.tsx";

export const metadata = newMetadata("marketplaceCollections");

export default newDefinitionPage("marketplaceCollections", ListingCollectionForm);
