import { projectPage } from "#web/client/server.tsx";
import { Tokens } from "#web/settings/tokens/tokens.tsx";

export const metadata = { title: "Tokens" };

export default projectPage((orpc, input) => [orpc.tokens.list.queryOptions({ input })], Tokens);
