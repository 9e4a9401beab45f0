import type { Metadata } from "next";
import { environmentPage } from "#web/client/server.tsx";
import { ImportScreen } from "#web/imports/import-screen.tsx";

export const metadata: Metadata = { title: "Import data" };

export default environmentPage((orpc, scope) => [orpc.imports.list.queryOptions({ input: scope })], ImportScreen);
