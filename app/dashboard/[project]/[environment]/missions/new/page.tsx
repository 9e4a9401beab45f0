import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { MissionForm } from "../../../../../authoring/screens/mission-form.tsx";

export const metadata = newMetadata("missions");

export default newDefinitionPage("missions", MissionForm);
