import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("pointsValuations");
export default definitionsPage("pointsValuations");
