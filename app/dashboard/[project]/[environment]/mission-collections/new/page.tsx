import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { MissionCollectionForm } from "../../../../../_authoring/screens/collection-forms.tsx";

export const metadata = newMetadata("missionCollections");

export default newDefinitionPage("missionCollections", MissionCollectionForm);
