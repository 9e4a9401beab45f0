import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { MissionCollectionForm } from "../../../../../_authoring/screens/collection-forms.tsx";

export const generateMetadata = editMetadata("missionCollections");

export default editDefinitionPage("missionCollections", MissionCollectionForm);
