import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { StreakForm } from "../../../../../_authoring/screens/streak-form.tsx";

export const generateMetadata = editMetadata("streaks");

export default editDefinitionPage("streaks", StreakForm);
