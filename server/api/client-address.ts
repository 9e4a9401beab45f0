import { isIP } from "node:net";

/** How the process that listens tells the pages who asks: by a header that it takes out of every request first. */
export const ADDRESS_HEADER = "x-engagement-client-address";

/**
 * Who sent a request: whoever is at the other end of the socket, or behind a proxy that is trusted (TRUST_PROXY) the last address of
 * X-Forwarded-For, which that proxy added. What stands before it anybody may have written. Null where it is not known.
 */
export function clientAddress(socketAddress: string | null, forwardedFor: string | null, trustProxy: boolean): string | null {
  const forwarded = trustProxy ? forwardedFor?.split(",").at(-1)?.trim() : undefined;
  const plain = forwarded === undefined ? socketAddress : withoutPort(forwarded);
  // A socket for both kinds of addresses writes those of IPv4 in this way.
  return plain !== null && isIP(plain) !== 0 ? plain.replace(/^::ffff:(?=\d+\.)/i, "") : null;
}

/** Some proxies add the port: "192.0.2.1:51234", "[2001:db8::1]:51234". */
const withoutPort = (address: string): string =>
  /^\[(?<ip>[^\]]+)\](:\d+)?$|^(?<ip4>[\d.]+):\d+$/
    .exec(address)
    ?.slice(1)
    .find((part) => part && isIP(part)) ?? address;
