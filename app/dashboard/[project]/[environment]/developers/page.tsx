import type { Metadata } from "next";
import { environmentPage } from "#web/client/server.tsx";
import { Keys } from "#web/developers/keys/keys.tsx";

export const metadata: Metadata = { title: "API keys · Developers" };

export default environmentPage((orpc, input) => [orpc.keys.list.queryOptions({ input })], Keys);
