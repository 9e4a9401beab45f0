/** A year, as browsers ask for before they believe it for long. */
const HTTPS_SECONDS = 31_536_000;

/** The headers of every answer: a browser must believe its type and, where the public address is https, never come without it. */
export const hardened = (baseUrl: string): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": `max-age=${HTTPS_SECONDS}` } : {}),
});
