import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { StreakForm } from "../../../../../_authoring/screens/streak-form.tsx";

export const metadata = newMetadata("streaks");

export default newDefinitionPage("streaks", StreakForm);
