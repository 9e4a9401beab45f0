/** An exchange to describe: `error` is the reason for a missing answer. */
interface Exchanged {
  status: number | null;
  error: string | null;
}

/** The meaning of an exchange for the receiver's operator, and the remedy where it failed. */
export const explainExchange = ({ status, error }: Exchanged): string =>
  status === null ? explainError(error ?? "") : explainStatus(status);

/** The same without the remedy, for lists. */
export const exchangeInBrief = (exchange: Exchanged): string => explainExchange(exchange).replace(/\.(?: .*)?$/s, "");

const STATUSES: Record<number, string> = {
  401: "It does not accept the signature, or wants a sign-in of its own. Check that it verifies with this endpoint's secret, over the raw body.",
  403: "Something in front of it refuses the request. Check that firewalls and bot protection let webhooks through.",
  404: "There is nothing at this path. Check the URL.",
  405: "It does not take POST there. Check the URL and the route.",
  408: "It gave up waiting for the request. A delivery is tried again.",
  410: "It says that it is gone for good. Check the URL.",
  429: "It has had too many requests. A delivery is tried again, not before the time it asks for.",
};

function explainStatus(status: number): string {
  const known = STATUSES[status];
  if (known !== undefined) return known;
  if (status >= 200 && status < 300) return "Success";
  if (status >= 300 && status < 400) return "It redirects, and redirects are not followed. Register the address that it redirects to.";
  if (status >= 400 && status < 500)
    return "It refuses the request. A delivery that is refused is not tried again; correct the receiver, then send it again.";
  return "The receiver returned an error. Check its logs.";
}

const ERRORS: readonly [RegExp, string][] = [
  [
    /^No complete answer within|CONNECT_TIMEOUT|Connect Timeout|ETIMEDOUT/i,
    "It did not answer completely within 15 seconds. Answer first, and do the work afterwards.",
  ],
  [/private or local address/, "Its host name resolves to a private or local address. Webhooks are not sent to those."],
  [/ENOTFOUND|EAI_AGAIN|has no address|queryA|ENODATA/, "Its host name cannot be resolved. Check the URL and its DNS record."],
  [/ECONNREFUSED/, "Nothing listens at this address and port. Check that the receiver runs, and the port."],
  [/EHOSTUNREACH|ENETUNREACH/, "There is no route to this address. Check that it can be reached from the internet."],
  [
    /certificate|self.signed|altnames|CERT_|ERR_TLS/i,
    "Its certificate is not trusted: it has expired, is self-signed, or is for another name.",
  ],
  [/SSL|TLS|EPROTO/i, "It does not speak TLS as expected. Check whether the URL should begin with http, and the port."],
  [/ECONNRESET|EPIPE|other side closed|terminated/i, "It closed the connection before it answered."],
  [/HTTPParser|Parse Error|Invalid|Expected HTTP/i, "Its answer is not HTTP. Check the port."],
];

const explainError = (error: string): string =>
  ERRORS.find(([pattern]) => pattern.test(error))?.[1] ?? `It could not be reached: ${error || "the connection failed"}.`;

/** Why nothing can be signed for an endpoint, and what to do. */
export const UNREADABLE_SECRET =
  "The endpoint's secret cannot be read any more: the service's AUTH_SECRET was changed. Rotate the secret here, or have AUTH_SECRET_PREVIOUS set to the AUTH_SECRET before.";
