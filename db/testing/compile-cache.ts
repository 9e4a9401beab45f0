import { fileURLToPath } from "node:url";

// What Node has read of the service, kept for the next process that a test starts: half of the processor time of a start. The worker
// itself does without: in each run its test files have other addresses, and what is kept of them would never be found again.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));
