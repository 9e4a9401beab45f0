import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("attributes");
export default definitionsPage("attributes");
