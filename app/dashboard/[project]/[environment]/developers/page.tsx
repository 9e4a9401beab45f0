import type { Metadata } from "next";
import { environmentPage } from "../../../../_client/server.tsx";
import { Keys } from "../../../../_developers/keys.tsx";

export const metadata: Metadata = { title: "API keys · Developers" };

export default environmentPage((orpc, input) => [orpc.keys.list.queryOptions({ input })], Keys);
