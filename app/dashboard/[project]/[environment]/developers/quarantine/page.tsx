import type { Metadata } from "next";
import { environmentPage } from "../../../../../_client/server.tsx";
import { Quarantine } from "../../../../../_developers/quarantine.tsx";

export const metadata: Metadata = { title: "Quarantine · Developers" };

export default environmentPage((orpc, input) => [orpc.work.quarantined.queryOptions({ input: { ...input, cursor: null } })], Quarantine);
