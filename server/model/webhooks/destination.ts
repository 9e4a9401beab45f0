import ipaddr from "ipaddr.js";
import { OperatorError } from "../kernel/operator-error.ts";
import type { FieldProblem } from "../kernel/problem.ts";

const MAX_LENGTH = 2048;

export type Destination = { url: URL } | { problem: string };

/**
 * Reads the URL of an endpoint. The URL parser normalizes odd forms of an address (`http://2130706433`, `http://0x7f.1`) before they are
 * judged. Host names are not resolved here.
 */
export function readDestination(text: string, allowPrivateAddresses: boolean): Destination {
  if ([...text].length > MAX_LENGTH) return { problem: `The URL is longer than ${MAX_LENGTH} characters; register a shorter one.` };
  const url = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { problem: "The URL must be an absolute http or https address, such as https://example.com/webhooks." };
  if (url.username !== "" || url.password !== "") {
    return { problem: "The URL must not hold a user name or password; deliveries are signed instead." };
  }
  if (!allowPrivateAddresses && leadsInside(url.hostname)) return { problem: privateAddressProblem(url.hostname) };
  url.hash = "";
  return { url };
}

export const privateAddressProblem = (hostname: string): string =>
  `${hostname} is a private or local address, which webhooks are not sent to; register one that can be reached from the internet.`;

function leadsInside(hostname: string): boolean {
  const address = literalAddress(hostname);
  return address === null ? isInsideName(hostname) : !isPublicAddress(address);
}

/** The settings of an endpoint are invalid. */
export class RefusedEndpoint extends OperatorError {
  readonly placed: readonly FieldProblem[];

  constructor(...placed: readonly FieldProblem[]) {
    super(...placed.map(({ message }) => message));
    this.placed = placed;
  }
}

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

/** Names that are only used inside a network, whatever a resolver answers (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const INSIDE_NAMES = ["localhost", "localdomain", "local", "internal", "intranet", "lan", "home.arpa"];

/** Whether a host name can only be private: `localhost`, a single label, or under a name reserved for that. */
function isInsideName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return !name.includes(".") || INSIDE_NAMES.some((inside) => name.endsWith(`.${inside}`));
}
