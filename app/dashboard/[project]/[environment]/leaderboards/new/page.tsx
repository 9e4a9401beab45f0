import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { LeaderboardForm } from "../../../../../authoring/screens/leaderboard-form.tsx";

export const metadata = newMetadata("leaderboards");

export default newDefinitionPage("leaderboards", LeaderboardForm);
