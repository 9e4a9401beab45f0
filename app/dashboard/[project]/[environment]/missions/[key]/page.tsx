import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { MissionForm } from "../../../../../_authoring/screens/mission-form.tsx";

export const generateMetadata = editMetadata("missions");

export default editDefinitionPage("missions", MissionForm);
