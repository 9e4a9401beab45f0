import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("leaderboards");
export default definitionsPage("leaderboards");
