import { environmentPage } from "#web/client/server.tsx";
import { Keys } from "#web/developers/keys/keys.tsx";

export const metadata = { title: "API keys · Developers" };

export default environmentPage((orpc, input) => [orpc.keys.list.queryOptions({ input })], Keys);
