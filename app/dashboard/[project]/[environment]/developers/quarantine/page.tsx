import { environmentPage } from "#web/client/server.tsx";
import { Quarantine } from "#web/developers/quarantine/quarantine.tsx";

export const metadata = { title: "Quarantine · Developers" };

export default environmentPage((orpc, input) => [orpc.work.quarantined.queryOptions({ input: { ...input, cursor: null } })], Quarantine);
