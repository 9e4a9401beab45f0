import ipaddr from "ipaddr.js";

export const shortBrowser = ({ address, userAgent }: Browser): Browser => ({
  address: address?.slice(0, 64) ?? null,
  userAgent: userAgent?.slice(0, 400) ?? null,
});

/** The origin of a sign-in. */
export interface Browser {
  address: string | null;
  userAgent: string | null;
}

/**
 * The network for counting sign-ins: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer of a provider. Null for
 * a text that is not an address.
 */
export function networkOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const [a, b, c, d] = (parsed as ipaddr.IPv6).parts;
  return `${[a, b, c, d].map((part) => (part ?? 0).toString(16)).join(":")}::/64`;
}
