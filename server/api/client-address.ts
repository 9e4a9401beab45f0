import { isIP } from "node:net";

/** The listening process passes the client's address to the pages in this header, after removing any that the client sent. */
export const ADDRESS_HEADER = "x-engagement-client-address";

/**
 * The sender's address: the other end of the socket, or behind a trusted proxy (TRUST_PROXY) the last address of X-Forwarded-For, which
 * that proxy added. Earlier addresses can be forged. Null if unknown.
 */
export function clientAddress(socketAddress: string | null, forwardedFor: string | null, trustProxy: boolean): string | null {
  const forwarded = trustProxy ? forwardedFor?.split(",").at(-1)?.trim() : undefined;
  const plain = forwarded === undefined ? socketAddress : withoutPort(forwarded);
  // A dual-stack socket writes IPv4 addresses like this.
  return plain !== null && isIP(plain) !== 0 ? plain.replace(/^::ffff:(?=\d+\.)/i, "") : null;
}

/** Warns the operator about forwarded addresses that the service does not trust. */
export const UNTRUSTED_FORWARDING =
  "Requests arrive with X-Forwarded-For, which is not believed: all who sign in through a proxy count as one address, and thirty failures " +
  "there keep all of them waiting. Set TRUST_PROXY=true if a proxy of yours writes that header.";

/** The warning at startup, from the settings; null for none. */
export const startWarning = ({ baseUrl, trustProxy }: { baseUrl: string; trustProxy: boolean }): string | null =>
  !trustProxy && baseUrl.startsWith("https:")
    ? "BASE_URL is https, which a proxy in front of this service answers, but TRUST_PROXY is not set: everyone who signs in counts as one address."
    : null;

/** Some proxies add the port: "192.0.2.1:51234", "[2001:db8::1]:51234". */
const withoutPort = (address: string): string =>
  /^\[(?<ip>[^\]]+)\](:\d+)?$|^(?<ip4>[\d.]+):\d+$/
    .exec(address)
    ?.slice(1)
    .find((part) => part && isIP(part)) ?? address;
