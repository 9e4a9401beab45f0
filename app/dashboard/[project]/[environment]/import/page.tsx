import { environmentPage } from "#web/client/server.tsx";
import { ImportScreen } from "#web/imports/import-screen.tsx";

export const metadata = { title: "Import data" };

export default environmentPage((orpc, scope) => [orpc.imports.list.queryOptions({ input: scope })], ImportScreen);
