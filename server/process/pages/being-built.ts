import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pages } from "./served.ts";

const RETRY_SECONDS = 3;

/** Serves the pages once they are built; until then answers with a notice that reloads itself. */
export function pagesOnceBuilt(building: Promise<Pages>): Pages {
  let pages: Pages | null = null;
  const ready = building.then((built) => void (pages = built));
  // Avoids an unhandled rejection; callers that await `ready` still get the error.
  ready.catch(() => {});
  return {
    isReady: () => pages !== null,
    ready,
    handle: async (request, response) => (pages === null ? answerBeingBuilt(request, response) : pages.handle(request, response)),
    takesUpgrade: (request) => pages?.takesUpgrade(request) ?? false,
    upgrade: async (request, socket, head) => (pages === null ? void socket.destroy() : pages.upgrade(request, socket, head)),
    close: () =>
      building.then(
        (built) => built.close(),
        () => {},
      ),
  };
}

const WORDS = "The pages are being built. This takes about a minute after an installation or an update.";

function answerBeingBuilt({ headers, method }: IncomingMessage, response: ServerResponse): void {
  const isForPeople = (headers.accept ?? "").includes("text/html");
  response.writeHead(503, {
    "Content-Type": `text/${isForPeople ? "html" : "plain"}; charset=utf-8`,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Retry-After": String(RETRY_SECONDS),
  });
  response.end(method === "HEAD" ? undefined : isForPeople ? PAGE : `${WORDS} The API under /v1 answers already.\n`);
}

/** Reloads itself until the requested page is there. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<title>Being built</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { display: grid; min-height: 100vh; margin: 0; place-content: center; padding: 1rem; box-sizing: border-box }
  main { max-width: 34rem }
  h1 { font-size: 1.25rem; margin: 0 0 .5rem }
  p { margin: 0 0 .5rem }
</style>
<main>
  <h1>Being built</h1>
  <p>${WORDS} This one appears as soon as it is ready.</p>
  <p>The API under <code>/v1</code> answers already.</p>
</main>
`;
