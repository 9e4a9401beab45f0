import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { ListingCollectionForm } from "../../../../../_authoring/screens/collection-forms.tsx";

export const generateMetadata = editMetadata("marketplaceCollections");

export default editDefinitionPage("marketplaceCollections", ListingCollectionForm);
