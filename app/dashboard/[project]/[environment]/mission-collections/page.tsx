import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("missionCollections");
export default definitionsPage("missionCollections");
