import type { IncomingMessage } from "node:http";
import { ADDRESS_HEADER, clientAddress } from "./api/client-address.ts";
import type { Answers } from "./pages.ts";

interface Clients {
  baseUrl: string;
  trustProxy: boolean;
  /** Told of each request whose forwarded address is not believed. */
  onUntrusted(): void;
}

/**
 * Tells the pages who asks, and under which address: they see headers alone, and whatever of these a client has written itself is taken
 * out of them first.
 */
export function knowingClients(pages: Answers, { baseUrl, trustProxy, onUntrusted }: Clients): Answers {
  const own = new URL(baseUrl);
  return {
    handle(request, response) {
      const { headers, socket } = request;
      const forwardedFor = textOf(headers["x-forwarded-for"]);
      if (forwardedFor !== null && !trustProxy) onUntrusted();
      const address = clientAddress(socket.remoteAddress ?? null, forwardedFor, trustProxy);
      delete headers[ADDRESS_HEADER];
      if (address !== null) headers[ADDRESS_HEADER] = address;
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
