import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("marketplaceCollections");
export default definitionsPage("marketplaceCollections");
