import { isServed } from "./server/api/dashboard-slot.ts";
import { provideServerless } from "./web/client/serverless.ts";

/**
 * Next calls this before the first request. Where it runs alone, the service is loaded here for all routes: each would otherwise bundle it,
 * and pages would load it beside that of their process.
 */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] === "edge" || isServed()) return;
  const { serverless } = await import("./server/process/serverless.ts");
  provideServerless(serverless);
}
