import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { LeaderboardForm } from "../../../../../authoring/screens/leaderboard-form.tsx";

export const generateMetadata = editMetadata("leaderboards");

export default editDefinitionPage("leaderboards", LeaderboardForm);
