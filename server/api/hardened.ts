/** A year, the usual minimum for browsers' preload lists. */
const HTTPS_SECONDS = 31_536_000;

/** Headers of every response: browsers must trust its type and, if the public address is https, use only https. */
export const hardened = (baseUrl: string): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": `max-age=${HTTPS_SECONDS}` } : {}),
});
