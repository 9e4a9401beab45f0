import type { Metadata } from "next";
import { environmentPage } from "../../../../_client/server.tsx";
import { PromoteScreen } from "./promote-screen.tsx";

export const metadata: Metadata = { title: "Promote" };

/** Takes definitions from one environment into the other, and in and out of files. */
export default environmentPage((orpc, input) => [orpc.definitions.difference.queryOptions({ input })], PromoteScreen);
