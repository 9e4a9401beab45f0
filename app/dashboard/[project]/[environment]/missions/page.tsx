import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("missions");
export default definitionsPage("missions");
