import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { LeaderboardForm } from "../../../../../_authoring/screens/leaderboard-form.tsx";

export const generateMetadata = editMetadata("leaderboards");

export default editDefinitionPage("leaderboards", LeaderboardForm);
