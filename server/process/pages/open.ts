import { once } from "node:events";
import { Server } from "node:http";
import type { Duplex } from "node:stream";
import { arePagesBuilt, buildPages, ROOT } from "./build.ts";
import { pagesOnceBuilt } from "./being-built.ts";
import type { Pages } from "./served.ts";

interface PagesOptions {
  isDevelopment: boolean;
  port: number;
  /** A build begins after this: until then it would take the cores from what the API needs to answer at all. */
  buildAfter: Promise<unknown>;
  /** Aborted when the process stops: a build under way is ended. */
  leaving: AbortSignal;
}

/** The pages, or compiled on demand in development. Where they have to be built first, that goes on behind what is answered here. */
export async function openPages(options: PagesOptions): Promise<Pages> {
  // oxlint-disable-next-line house/settings-alone -- Next and React take these from nowhere else, and Next when it is imported.
  Object.assign(process.env, { NODE_ENV: options.isDevelopment ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" });
  if (options.isDevelopment || arePagesBuilt()) return servePages(options);
  const { buildAfter, leaving } = options;
  const built = Promise.race([buildAfter, once(leaving, "abort")]).then(() => buildPages(leaving));
  return pagesOnceBuilt(built.then(() => servePages(options)));
}

async function servePages({ isDevelopment, port }: PagesOptions): Promise<Pages> {
  const { default: createNext } = await import("next");
  // Next asks itself for the page that a form leads to; it has to know where it is.
  const next = createNext({ dir: ROOT, dev: isDevelopment, hostname: "localhost", port, httpServer: UNHEARD });
  await next.prepare();
  const sockets = new Set<Duplex>();
  const upgrade = next.getUpgradeHandler();
  return {
    isReady: () => true,
    ready: Promise.resolve(),
    handle: next.getRequestHandler(),
    takesUpgrade: ({ url = "" }) => isDevelopment && RELOADING.test(url),
    upgrade: (request, socket, head) => {
      sockets.add(socket.once("close", () => sockets.delete(socket)));
      return upgrade(request, socket, head);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await next.close();
    },
  };
}

/** For a process that serves programs alone. */
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

/** Next adds a listener of its own for upgrades to the server it is given, and leaves sockets open that nobody answers: to this one, which never listens. */
const UNHEARD = new Server();
