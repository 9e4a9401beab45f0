import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { MissionCollectionForm } from "../../../../../authoring/screens/collection-forms.tsx";

export const generateMetadata = editMetadata("missionCollections");

export default editDefinitionPage("missionCollections", MissionCollectionForm);
