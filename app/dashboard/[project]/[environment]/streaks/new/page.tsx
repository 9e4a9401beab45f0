import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { StreakForm } from "../../../../../authoring/screens/streak-form.tsx";

export const metadata = newMetadata("streaks");

export default newDefinitionPage("streaks", StreakForm);
