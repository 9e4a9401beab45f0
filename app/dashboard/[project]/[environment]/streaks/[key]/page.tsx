import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { StreakForm } from "../../../../../authoring/screens/streak-form.tsx";

export const generateMetadata = editMetadata("streaks");

export default editDefinitionPage("streaks", StreakForm);
