// Builds the pages unless they were built from the present sources, as the first start of the service does.
import { buildPages } from "../server/process/pages/build.ts";

await buildPages();
