import { projectPage } from "#web/client/server.tsx";
import { MembersScreen } from "#web/settings/members/members.tsx";

export const metadata = { title: "Members" };

export default projectPage((orpc, input) => [orpc.members.list.queryOptions({ input })], MembersScreen);
