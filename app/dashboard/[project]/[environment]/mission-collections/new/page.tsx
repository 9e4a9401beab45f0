import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { MissionCollectionForm } from "../../../../../authoring/screens/collection-forms.tsx";

export const metadata = newMetadata("missionCollections");

export default newDefinitionPage("missionCollections", MissionCollectionForm);
