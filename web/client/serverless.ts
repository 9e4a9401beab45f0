import { after } from "next/server";
import type { Serverless, serverless as openServerless } from "../../server/process/serverless.ts";

const SLOT = Symbol.for("engagement-service.open-serverless");
const held = globalThis as { [SLOT]?: typeof openServerless };

/** Makes the service available to all routes (instrumentation.ts). */
export function provideServerless(open: typeof openServerless): void {
  held[SLOT] = open;
}

/** The service, where Next runs alone. */
export const serverless = (): Serverless => held[SLOT]!(after);
