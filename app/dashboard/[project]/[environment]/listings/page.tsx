import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("marketplaceItems");
export default definitionsPage("marketplaceItems");
