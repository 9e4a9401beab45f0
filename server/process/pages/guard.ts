import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { MAX_FORM_BYTES } from "../../api/body.ts";
import { ADDRESS_HEADER } from "../../api/client-address.ts";
import { hardened } from "../../api/hardened.ts";
import { networkOf } from "../../model/identity/browser.ts";
import type { Answers } from "./served.ts";
import { RenderQueue } from "./render-queue.ts";
import { IS_PUBLIC_FILE } from "../routing.ts";

interface Refusal {
  status: number;
  words: string;
}

/** Next repeats the address in two headers of a redirect, each character up to three times as long; clients read 16 KiB of headers. */
const MAX_ADDRESS_LENGTH = 2_048;
/** A provider's callback may be longer. */
const MAX_CALLBACK_LENGTH = 8_192;
/** How long a form may take to arrive. */
const FORM_MS = 20_000;

/**
 * Bounds what Next would accept from any client: it copies a body before any page runs, and renders all requested pages in parallel.
 * Development is not bounded: Next's tools send more, and compiling takes long.
 */
export function guardedPages(pages: Answers, { baseUrl, isDevelopment }: { baseUrl: string; isDevelopment: boolean }): Answers {
  const headers = Object.entries(hardened(baseUrl));
  const { origin } = new URL(baseUrl);
  const queue = new RenderQueue();
  const before = new WeakMap<Socket, Promise<void>>();
  const images = new Set<ServerResponse>();

  /** Whether an image may be sent: at the limit, one that its reader does not take is dropped. */
  function holdsImage(response: ServerResponse): boolean {
    if (images.size >= MAX_IMAGES) {
      const notTaken = images.values().find((one) => one.writableNeedDrain || one.writableEnded);
      if (notTaken === undefined) return false;
      images.delete(notTaken);
      notTaken.destroy();
    }
    images.add(response);
    response.once("close", () => images.delete(response));
    return true;
  }

  /** One answer per connection at a time: a client that pipelines requests without reading holds one, not dozens. */
  async function inOrder(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const earlier = before.get(request.socket);
    before.set(request.socket, new Promise<void>((resolve) => void response.once("close", resolve)));
    await earlier;
    if (!response.destroyed) await guarded(request, response);
  }

  async function guarded(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalByHeaders(request, origin) ?? ((await hasArrived(request)) ? refusalByBody(request) : TOO_SLOW);
    if (refusal !== null) return refuse(response, refusal);
    const render = () => pages.handle(request, response);
    if (IS_IMAGE.test(request.url ?? "")) return holdsImage(response) ? render() : refuse(response, BUSY);
    if (IS_FILE.test(request.url ?? "") || IS_PUBLIC_FILE.test(request.url ?? "")) return render();
    if (!(await queue.run(render, () => response.destroyed, clientOf(request)))) refuse(response, BUSY);
  }

  return {
    handle(request, response) {
      for (const [name, value] of headers) response.setHeader(name, value);
      return isDevelopment ? pages.handle(request, response) : inOrder(request, response);
    },
  };
}

/** The network that a client is counted by; unknown addresses share one. */
const clientOf = ({ headers }: IncomingMessage): string => networkOf(String(headers[ADDRESS_HEADER] ?? "")) ?? "unknown";

/** Files that need no rendering, from disk or the database. */
const IS_FILE = /^\/(_next\/static\/[^?]+|icon[.]svg)(\?|$)/;
/** Next also finds an image by an address that ends in a slash or is escaped. */
const IS_IMAGE = /^\/images\/[^/?]+\/?(\?|$)/;
/** Dots that Next would resolve: it would answer another address than the one whose bound was chosen here. Browsers resolve them first. */
const HAS_DOTS = /^[^?]*[/\\](?:[.]|%2e){1,2}(?:[/\\?]|$)/i;
/** The images sent at the same time: each is held in memory, up to 1 MiB, until its reader has taken it. */
const MAX_IMAGES = 200;
const TOO_SLOW: Refusal = { status: 408, words: "The form did not arrive in time." };
const CUT_OFF: Refusal = { status: 400, words: "The form is cut off: it ends before its last part." };
const BUSY: Refusal = { status: 503, words: "Too many pages are being loaded right now. Try again in a moment." };

function refusalByHeaders({ method, url = "/", headers }: IncomingMessage, origin: string): Refusal | null {
  // Next fails on such an address.
  if (!url.startsWith("/") || !isReadable(url) || HAS_DOTS.test(url)) return { status: 404, words: "There is no such page." };
  const isSignIn = /^[/]+api[/]+auth([/?]|$)/.test(url);
  if (url.length > (isSignIn ? MAX_CALLBACK_LENGTH : MAX_ADDRESS_LENGTH)) return { status: 414, words: "The address is too long." };
  // Providers redirect by GET. Next fails on some forms sent to a route that takes none.
  if (isSignIn && method !== "GET" && method !== "HEAD") return { status: 405, words: "There is no form here." };
  if (headers["transfer-encoding"] !== undefined) return { status: 411, words: "Send the length of the body as Content-Length." };
  if (Number(headers["content-length"] ?? 0) > MAX_FORM_BYTES)
    return { status: 413, words: `A form has at most ${MAX_FORM_BYTES / 1024} KiB.` };
  if (method === "POST" && isForeign(headers, origin)) return { status: 403, words: "This form was sent from another site." };
  return null;
}

/** Whether an address can be decoded: "%zz" is no escape, and "%FF" no UTF-8. */
function isReadable(url: string): boolean {
  try {
    decodeURIComponent(url.split("?", 1)[0]!);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether another site sent the request. Next compares Origin with Host; behind a proxy that rewrites the Host, the public address counts
 * as well.
 */
const isForeign = ({ origin, host }: IncomingMessage["headers"], own: string): boolean =>
  origin !== undefined && origin !== own && URL.parse(origin)?.host !== host;

/** Waits until a form has arrived whole, so that a slow one holds no slot. It fits the connection's buffer, unread. */
async function hasArrived(request: IncomingMessage): Promise<boolean> {
  const until = performance.now() + FORM_MS;
  for (let wait = 1; !request.complete; wait = Math.min(wait * 2, 200)) {
    if (request.destroyed || performance.now() > until) return false;
    await delay(wait);
  }
  return true;
}

/** Refuses a truncated form, on which Next would fail. */
function refusalByBody(request: IncomingMessage): Refusal | null {
  const boundary = /^multipart\/form-data\s*;.*boundary=("?)([^";]{1,70})\1/i.exec(request.headers["content-type"] ?? "")?.[2];
  if (request.method !== "POST" || boundary === undefined) return null;
  // Without a length, it would be the first piece alone.
  const body = request.read(request.readableLength) as Buffer | null;
  // Puts it back, so that the handler reads it from the start.
  if (body !== null) request.unshift(body);
  return body?.includes(`--${boundary}--`) === true ? null : CUT_OFF;
}

function refuse(response: ServerResponse, { status, words }: Refusal): void {
  if (status === 408) response.setHeader("Connection", "close");
  if (status === 503) response.setHeader("Retry-After", "2");
  // Without a charset, or Next would not pass the words of a refused server action on to its form, which knows them by the line break.
  response.writeHead(status, { "Content-Type": "text/plain", "Cache-Control": "no-store" }).end(`${words}\n`);
}
