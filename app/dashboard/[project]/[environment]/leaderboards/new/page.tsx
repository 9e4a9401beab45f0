import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { LeaderboardForm } from "../../../../../_authoring/screens/leaderboard-form.tsx";

export const metadata = newMetadata("leaderboards");

export default newDefinitionPage("leaderboards", LeaderboardForm);
