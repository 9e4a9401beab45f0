import ipaddr from "ipaddr.js";

/** Addresses that look public but are internal: the machine endpoint of Azure. */
const INSIDE = ["168.63.129.16"];

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number];

/**
 * Whether an IP address, as resolvers and sockets write it, is on the public internet. Everything else is refused: private, loopback,
 * link-local with the metadata services, unique-local, carrier-grade NAT, multicast, unspecified, documentation, tunnels. An address that
 * embeds an IPv4 address is judged by that one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIPv4(parsed);
  if (parsed.zoneId) return false;
  if (parsed.isIPv4MappedAddress()) return isPublicIPv4(parsed.toIPv4Address());
  if (parsed.match(NAT64)) return isPublicIPv4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast";
}

const isPublicIPv4 = (address: ipaddr.IPv4): boolean => address.range() === "unicast" && !INSIDE.includes(address.toString());

/** The address that a URL names instead of a host name, without the brackets of IPv6; null for a host name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : null;
}

/** Names that only exist inside a network, whatever a resolver answers (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const INSIDE_NAMES = ["localhost", "localdomain", "local", "internal", "intranet", "lan", "home.arpa"];

/** Whether a host name can only be private: `localhost`, a single label, or under a name reserved for that. */
export function isInsideName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return !name.includes(".") || INSIDE_NAMES.some((inside) => name.endsWith(`.${inside}`));
}
