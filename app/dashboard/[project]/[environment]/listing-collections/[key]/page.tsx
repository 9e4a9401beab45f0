import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { ListingCollectionForm } from "../../../../../authoring/screens/collection-forms.tsx";

export const generateMetadata = editMetadata("marketplaceCollections");

export default editDefinitionPage("marketplaceCollections", ListingCollectionForm);
