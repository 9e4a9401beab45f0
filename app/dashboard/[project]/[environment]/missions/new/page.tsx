import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { MissionForm } from "../../../../../_authoring/screens/mission-form.tsx";

export const metadata = newMetadata("missions");

export default newDefinitionPage("missions", MissionForm);
