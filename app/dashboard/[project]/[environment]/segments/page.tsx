import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("segments");
export default definitionsPage("segments");
