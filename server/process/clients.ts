import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ADDRESS_HEADER, clientAddress } from "../api/client-address.ts";
import type { Answers } from "./pages/served.ts";

interface Clients {
  baseUrl: string;
  trustProxy: boolean;
  /** Called for each request whose forwarded address is not trusted. */
  onUntrusted(): void;
}

/**
 * Set on each request for Next, with a value that only this process knows. Next answers a redirect by a request to this same server with the
 * headers of the first one, to which it has added X-Forwarded-For: that request is no client's, and its address is the one found before.
 */
const OWN_HEADER = "x-engagement-own";

/** Passes the client and its address to the pages: they see headers alone, so whatever a client has written into these is removed first. */
export function knowingClients(pages: Answers, { baseUrl, trustProxy, onUntrusted }: Clients): Answers {
  const own = new URL(baseUrl);
  const secret = randomUUID();
  return {
    handle(request, response) {
      const { headers, socket } = request;
      const forwardedFor = textOf(headers["x-forwarded-for"]);
      if (headers[OWN_HEADER] !== secret) {
        if (forwardedFor !== null && !trustProxy) onUntrusted();
        const address = clientAddress(socket.remoteAddress ?? null, forwardedFor, trustProxy);
        delete headers[ADDRESS_HEADER];
        if (address !== null) headers[ADDRESS_HEADER] = address;
      }
      headers[OWN_HEADER] = secret;
      delete headers["x-forwarded-for"];
      delete headers["x-forwarded-proto"];
      delete headers["x-forwarded-port"];
      // Next holds a form's Origin against the Host. Behind a proxy that writes its own there, the public address is as good.
      delete headers["x-forwarded-host"];
      if (headers.origin === own.origin) headers["x-forwarded-host"] = own.host;
      return pages.handle(request, response);
    },
  };
}

const textOf = (header: IncomingMessage["headers"][string]): string | null => (Array.isArray(header) ? header.join(",") : (header ?? null));
