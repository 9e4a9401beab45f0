import { isInsideName, isPublicAddress, literalAddress } from "./addresses.ts";

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
