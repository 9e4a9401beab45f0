import { fileURLToPath } from "node:url";

// Node's compile cache, shared by the processes that tests start: it saves half of the CPU time of a start. The worker itself does not use
// it: its test files have new addresses in each run, so their entries would never be hit.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));
