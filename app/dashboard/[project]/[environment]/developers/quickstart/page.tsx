import { environmentPage } from "#web/client/server.tsx";
import { Quickstart } from "#web/developers/quickstart.tsx";

export const metadata = { title: "Quickstart · Developers" };

export default environmentPage(
  (orpc, input) => [
    orpc.definitions.catalogue.queryOptions({ input }),
    orpc.definitions.settings.queryOptions({ input }),
    orpc.events.reception.queryOptions({ input }),
  ],
  Quickstart,
);
