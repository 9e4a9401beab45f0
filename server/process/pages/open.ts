import { once } from "node:events";
import { Server } from "node:http";
import { arePagesBuilt, buildPages, ROOT } from "./build.ts";
import { pagesOnceBuilt } from "./being-built.ts";
import type { Pages } from "./served.ts";

interface PagesOptions {
  isDevelopment: boolean;
  port: number;
  /** The build starts after this: earlier it would take cores from the API's start. */
  buildAfter: Promise<unknown>;
  /** Aborted when the process stops; ends a running build. */
  leaving: AbortSignal;
}

/** The built pages, or pages compiled on demand in development. A missing build runs in the background. */
export async function openPages(options: PagesOptions): Promise<Pages> {
  // oxlint-disable-next-line house/settings-alone -- Next and React take these from nowhere else, and Next when it is imported.
  Object.assign(process.env, {
    NODE_ENV: options.isDevelopment ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Node.js reads next.config.ts. Next would load its compiler for it, which takes 27 MB.
    __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: "true",
  });
  if (options.isDevelopment || arePagesBuilt()) return servePages(options);
  const { buildAfter, leaving } = options;
  const built = Promise.race([buildAfter, once(leaving, "abort")]).then(() => buildPages(leaving));
  return pagesOnceBuilt(built.then(() => servePages(options)));
}

async function servePages({ isDevelopment, port }: PagesOptions): Promise<Pages> {
  const { default: createNext } = await import("next");
  // Next requests the target page of a form from itself, so it needs its own address.
  const next = createNext({ dir: ROOT, dev: isDevelopment, hostname: "localhost", port, httpServer: UNHEARD });
  await next.prepare();
  return {
    isReady: () => true,
    ready: Promise.resolve(),
    handle: next.getRequestHandler(),
    takesUpgrade: ({ url = "" }) => isDevelopment && RELOADING.test(url),
    upgrade: next.getUpgradeHandler(),
    close: () => next.close(),
  };
}

/** For a process without pages. */
export const NO_PAGES: Pages = {
  isReady: () => true,
  ready: Promise.resolve(),
  handle: async (_, response) => {
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("This process serves no pages (PAGES=off).\n");
  },
  takesUpgrade: () => false,
  upgrade: async (_, socket) => void socket.destroy(),
  close: async () => {},
};

/** Next's hot reload. */
const RELOADING = /^\/_next\/(hmr|webpack-hmr)([/?]|$)/;

/**
 * Next adds an upgrade listener to the server it is given, and leaves unanswered sockets open. So it gets this server, which never listens.
 */
const UNHEARD = new Server();
