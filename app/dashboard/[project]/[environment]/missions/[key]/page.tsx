import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { MissionForm } from "../../../../../authoring/screens/mission-form.tsx";

export const generateMetadata = editMetadata("missions");

export default editDefinitionPage("missions", MissionForm);
